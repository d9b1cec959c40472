/* Memory that outlives a call: each run starts from the same memory, so code that needs a second call is never reached. */
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

/* 42 is reached from 40 in one call; 43 would take two calls. */
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
