#include <stdio.h>

static int calls;

static int f(int x)
{
    calls++;
    return x;
}

int main(void)
{
    int n = 3;
    int a = (int)sizeof(
        f(1));
    int b = _Generic(n,
        int: f(2),
        default: f(3));
    int c = __builtin_choose_expr(1,
        f(4),
        f(5));
    __typeof__(
        f(6)) d = 7;
    printf("%d %d %d %d %d\n", a > 1, b, c, d, calls);
    return 0;
}
