#include <stdio.h>

static int calls;

static int f(int x)
{
    calls++;
    return x + 1;
}

static int g(int x)
{
    int k = (x > 2)
        ? f(1)
        : x > 1
        ? f(2)
        : f(3);
    k += x ? f(4) :
        f(5);
    return k
        ?: f(6);
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += g(i);
    printf("%d %d\n", s, calls);
    return s > 5 ? 0
        : 1;
}
