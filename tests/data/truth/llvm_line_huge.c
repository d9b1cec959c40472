#include <stdio.h>
int main(void)
{
    int n = 0;
    if (n)
        n = 1;
    printf("%d\n", n);
    return 0;
}
#line 2000000000
int far(int x)
{
    return x;
}
