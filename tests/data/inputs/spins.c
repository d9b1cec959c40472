/* A loop without a condition; every run reaches the time limit. */
int spins(int x)
{
    if (x == 7)
        for (;;)
            ;
    if (x > 1000)
        return 1;
    return 0;
}
