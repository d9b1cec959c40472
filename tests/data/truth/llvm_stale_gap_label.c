#include <stdio.h>

static int n;

static int run(int x)
{
    if (x > 7)
        return 1;
    goto start;
fail:
    n += 1000;
    return 2;
start:
    n++;
    if (n > 100)
        goto fail;
    return 0;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += run(i);
    printf("%d %d\n", s, n);
    return 0;
}
