/* Functions that do not end cleanly when x is 7, each in a different way; the branch x > 1000 can always be met. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

int null(int x)
{
    int *volatile p = 0;
    if (x == 7)
        return *p;
    if (x > 1000)
        return 1;
    return 0;
}

int zero(int x)
{
    if (100 / (x - 7) > 1000)
        return 2;
    if (x > 1000)
        return 1;
    return 0;
}

/* INT_MIN / -1 overflows, for which the processor raises the same exception as for a division by 0. */
int quotient(int x, int y)
{
    if (y == 0)
        return 0;
    if (x == INT_MIN)
        if (y < 0)
            return x / y;
    if (x > 1000)
        return 1;
    return 0;
}

int deep(int x)
{
    volatile int here[64];
    here[0] = x;
    if (x == 7)
        return deep(here[0]) + 1;
    if (x > 1000)
        return 1;
    return 0;
}

int leaves(int x)
{
    if (x == 7)
        exit(3);
    if (x > 1000)
        return 1;
    return 0;
}

int aborts(int x)
{
    if (x == 7)
        abort();
    if (x > 1000)
        return 1;
    return 0;
}

int smashes(int x)
{
    char here[16];
    if (x == 7)
        __builtin_memset(here, 0xff, 256);
    if (x > 1000)
        return 1;
    return 0;
}

int raises(int x)
{
    if (x == 7)
        raise(SIGSEGV);
    if (x > 1000)
        return 1;
    return 0;
}

int killed(int x)
{
    if (x == 7)
        raise(SIGKILL);
    if (x > 1000)
        return 1;
    return 0;
}

int traps(int x)
{
    if (x == 7)
        __builtin_trap();
    if (x > 1000)
        return 1;
    return 0;
}

int jumps(int x)
{
    void (*volatile nowhere)(void) = (void (*)(void))16;
    if (x == 7)
        nowhere();
    if (x > 1000)
        return 1;
    return 0;
}
