#include <stdio.h>
static int f(int a, int b)
{
    if (a || (b && 1))
        return 1;
    return 0;
}
int main(void)
{
    printf("%d\n", f(0, 1) + f(1, 1) + f(0, 0));
    return 0;
}
