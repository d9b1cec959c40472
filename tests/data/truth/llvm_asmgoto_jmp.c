#include <stdio.h>

static int n;

static int skip(int x)
{
    __asm__ goto("jmp %l0" : : : : over);
    n += 50;
over:
    n += x;
    return n;
}

int main(void)
{
    int s = 0;
    for (int i = 1; i < 4; i++)
        s += skip(i);
    printf("%d %d\n", s, n);
    return 0;
}
