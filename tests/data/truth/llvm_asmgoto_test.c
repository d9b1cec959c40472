#include <stdio.h>

static int zeros;

static int nonzero(int x)
{
    __asm__ goto("testl %0, %0\n\tjnz %l1" : : "r"(x) : "cc" : yes);
    zeros++;
    return 0;
yes:
    return 1;
}

int main(void)
{
    int v[] = { 0, 4, 0, 9, 2 }, s = 0;
    for (int i = 0; i < 5; i++)
        s += nonzero(v[i]);
    printf("%d %d\n", s, zeros);
    return 0;
}
