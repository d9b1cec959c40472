#include <stdio.h>
#define TRUE 1
static int f(int v2)
{
    if ((TRUE || TRUE) && v2)
        return 1;
    return 0;
}
int main(void)
{
    printf("%d\n", f(0) + f(1));
    return 0;
}
