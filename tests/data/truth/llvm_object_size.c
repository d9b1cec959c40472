#include <stdio.h>
static char a[16], b[8];
static int size(int c)
{
    if (__builtin_object_size(c ? a : b, 0) == (unsigned long)-1)
        c += 2;
    else
        c += a[0] + 1;
    return c;
}
int main(void)
{
    printf("%d\n", size(1) > 0);
    return 0;
}
