/* Compiles, but is not a program. */
int twice(int x)
{
    return 2 * x;
}
