#include <stdio.h>
static int f(int a, int b)
{
    __builtin_assume(a > 0 &&
                     b > 0);
    return a + b;
}
int main(void)
{
    printf("%d\n", f(1, 2) + f(2, 3));
    return 0;
}
