#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static int grow(int n)
{
    int a[n + 1];
    int k = 0;
    for (k = 0; k <= n; a[k] = k, k++)
        ;
    int m = (int)(sizeof a / sizeof *a);
    while (k-- > 0 && a[k] != m / 2);
    return m * 10 + k;
}

int main(void)
{
    printf("%d %d\n", sum(3, 4, 5, 6), sum(0));
    printf("%d %d\n", grow(4), grow(7));
    return 0;
}
