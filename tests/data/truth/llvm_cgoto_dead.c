#include <stdio.h>

static int hops;

static int pick(int k)
{
    static void *const where[2] = { &&even, &&odd };
    goto *where[k & 1];
    hops += 1000;
    return 0;
even:
    hops += 1;
    return k / 2;
odd:
    hops += 10;
    return 3 * k + 1;
}

int main(void)
{
    int k = 6;
    for (int i = 0; i < 5; i++)
        k = pick(k);
    printf("%d %d\n", k, hops);
    return 0;
}
