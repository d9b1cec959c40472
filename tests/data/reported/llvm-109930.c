#include <stdio.h>
static int f(int v0)
{
    if (v0)
        return 1;
    return 0;
}
int main(void)
{
    printf("%d\n", f(0) + f(1));
    return 0;
}
