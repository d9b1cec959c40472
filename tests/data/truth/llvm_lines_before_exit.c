#include <stdio.h>
#include <stdlib.h>
static void die(int c)
{
    if (c)
        exit(0);
}
#define MAX2(a, b) ((a) > (b) \
    ? (a)                     \
    : (b))
int main(void)
{
    int n = MAX2(1, 2);
    n += MAX2(5, 2);
    printf("%d\n", n);
    die(n > 0);
    return 0;
}
