#include <stdio.h>

static int check(int a, int b, int d, int e)
{
    int r = 0;

    if (__builtin_expect(a && (b || d), 1) && e)
        r = 1;
    if ((a && b) || (d && e))
        r += 2;
    return r;
}

int main(void)
{
    int sum = check(0, 1, 1, 1) + check(1, 0, 0, 1) + check(1, 1, 0, 0);

    printf("%d\n", sum);
    return 0;
}
