#include <stdio.h>
static int either(int a, int b, int c)
{
    return !(a && b) || c;
}
int main(void)
{
    printf("%d\n", either(0, 1, 0) + either(1, 0, 0) + either(1, 1, 1));
    return 0;
}
