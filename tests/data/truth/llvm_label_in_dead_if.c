#include <stdio.h>

static int n;

static int f(int x)
{
    if (0) {
again:
        n += 2;
        x += 3;
    }
    n++;
    if (x < 5)
        goto again;
    if (x > 6) {
twice:
        n += 5;
        x -= 4;
    } else
        goto twice;
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += f(i);
    printf("%d %d\n", s, n);
    return 0;
}
