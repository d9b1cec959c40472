#include <stdio.h>

#define CHECK if (n <= i) { return 0; }

static int f(int n, int i)
{
    int c = 1;
    CHECK;
    c += n;
    return c;
}

#define LEAVE_IF(c) if (c) { r = 5; goto out; };

static int g(int n, int i)
{
    int r = 0;
    LEAVE_IF(n <= i);
    r += n;
out:
    return r;
}

#define BELOW(x) ((x) < 5)
#define UP_WHILE(x, cond) \
    while ((x) >= 0 && cond(x)) \
        x++

int main(void)
{
    int n = 0, r = 0;
    for (int i = 0; i < 5; i++)
        r += f(3, i) + g(3, i);
    UP_WHILE(n, BELOW);
    printf("%d %d\n", n, r);
    return 0;
}
