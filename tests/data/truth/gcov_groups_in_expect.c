#include <stdio.h>

static int n;

static void count(int a, int b, int c)
{
    if (__builtin_expect(!!(a || (b && c)), 1))
        n++;
    if (__builtin_expect(!!((a && b) || c), 0))
        n++;
    if (__builtin_expect(!!(a && b && c), 1))
        n++;
    if (__builtin_expect(!!(!(a && (b || c))), 0))
        n++;
    n += __builtin_expect(!!(a || b && c), 1) ? 2 : 1;
    if (__builtin_expect((a || b) && (b || c), 1))
        n++;
}

int main(void)
{
    for (int i = 0; i < 7; i++)
        count(i & 1, i & 2, i > 3);
    printf("%d\n", n);
    return 0;
}
