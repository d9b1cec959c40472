/* A run that waits longer than the time limit of a run. */
extern unsigned sleep(unsigned);

int sleeps(int x)
{
    if (x == 7) {
        sleep(100);
        if (x > 0)
            return 2;
    }
    if (x > 1000)
        return 1;
    return 0;
}
