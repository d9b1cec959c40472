#include <stdio.h>

static int n;

static int t(int v)
{
    n++;
    return v;
}

static int both(int a, int b)
{
    int r = 0;
    if (a > 1 &&
        t(b))
        r++;
    if (t(a)
        || t(b)
        || b > 9)
        r += 2;
    while (r < 9 && (
            t(a) ||
            b))
        r += 3;
    return a &&
        b &&
        t(r);
}

int main(void)
{
    int s = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            s = s * 2 + both(a, b);
    printf("%d %d\n", s, n);
    return 0;
}
