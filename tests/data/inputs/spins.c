/* A loop without a condition; one run of it takes as long as a run may. */
int spins(int x)
{
    if (x == 7)
        for (;;)
            ;
    if (x > 1000)
        return 1;
    return 0;
}
