#include <stdio.h>
#include <stdlib.h>

static int n;

static void first(void)
{
    n += 10;
    printf("first %d\n", n);
}

static void second(void)
{
    n *= 2;
    if (n > 100)
        n = 0;
    printf("second %d\n", n);
}

static void unused(void)
{
    n = -1;
}

int main(void)
{
    atexit(first);
    atexit(second);
    if (n)
        atexit(unused);
    n = 3;
    exit(0);
}
