#include <stdio.h>

static int picks, n;

static int plain(int x)
{
    n++;
    return x * 2;
}

static int fancy(int x)
{
    return x * 3;
}

static int (*resolve(void))(int)
{
    picks++;
    return picks > 9 ? fancy : plain;
}

int scale(int) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void setup(void)
{
    n = 40;
}

int main(void)
{
    printf("%d %d\n", scale(4), scale(5));
    printf("%d\n", n);
    return 0;
}
