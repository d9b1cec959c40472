/* Compiles, but is no program. */
int twice(int x)
{
    return 2 * x;
}
