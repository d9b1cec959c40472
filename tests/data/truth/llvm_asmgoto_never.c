#include <stdio.h>

static int n;

static int f(int x)
{
    __asm__ goto("" : : "r"(x) : : rare);
    n += x;
    return n;
rare:
    n = -1;
    return 0;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += f(i);
    __asm__ volatile("" : "+r"(s));
    printf("%d %d\n", s, n);
    return 0;
}
