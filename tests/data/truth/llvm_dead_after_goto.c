#include <stdio.h>

static int n;

static int leave(int x)
{
    if (x > 3)
        goto out;
    goto out;
    n += 99;
out:
    n += x;
    return n;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += leave(i);
    printf("%d\n", s);
    return 0;
}
