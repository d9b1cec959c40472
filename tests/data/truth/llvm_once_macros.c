#include <stdio.h>

#define TRY(e) do { if (!(e)) return -1; } while (0)
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define NOP do { } while (0)

static int order(int a, int b)
{
    TRY(a >= 0);
    if (a > b)
        SWAP(a, b);
    TRY(b < 9);
    NOP;
    return a * 10 + b;
}

int main(void)
{
    int s = 0;
    for (int i = -1; i < 4; i++)
        s += order(i, 2) + order(2 * i, 5 * i);
    do s++; while (0);
    do {
        s += 2;
    } while (0);
    printf("%d\n", s);
    return 0;
}
