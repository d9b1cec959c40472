#include <stdio.h>
static int f(int v0, int v1, int v2)
{
    if ((v0 != v1) && v2)
        return 1;
    return 0;
}
int main(void)
{
    printf("%d\n", f(0, 1, 1) + f(1, 1, 1) + f(0, 1, 0));
    return 0;
}
