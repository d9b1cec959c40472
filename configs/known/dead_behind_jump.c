#include <stdio.h>
static int pick(int x)
{
    int m = x;
    if (x > 2)
        goto out;
    goto out;
    m = 50;
out:
    return m;
}
int main(void)
{
    printf("%d %d\n", pick(1), pick(4));
    return 0;
}
