/* Memory that outlives a call: each run begins afresh, so what only a second call could do is never done. */
#include <errno.h>
#include <stdlib.h>

int total = 40;
static int table[4] = {1, 2, 3, 4};

/* The second condition is always false. */
int calls(int x)
{
    static int calls;
    calls++;
    if (x > 5)
        calls = calls + 0;
    if (calls > 1)
        return 1;
    return 0;
}

/* 2 is what it takes to get from 40 to 42 at once; 43 by two calls is not reached with so small numbers. */
int sum(unsigned char x)
{
    if (x > 2)
        return 0;
    total += x;
    if (total == 42)
        return 1;
    if (total == 43)
        return 2;
    return 0;
}

int written(int i)
{
    if (i < 0 || i > 3)
        return -1;
    if (table[i] == 99)
        return 1;
    table[i] = 99;
    return 0;
}

int remembered(int x)
{
    static int *kept;
    if (kept)
        return *kept;
    if (x == 9) {
        kept = malloc(sizeof *kept);
        if (!kept)
            return -1;
        *kept = x;
    }
    return 0;
}

int number(int x)
{
    if (errno != 0)
        return 1;
    if (x < 0)
        errno = EDOM;
    return 0;
}
