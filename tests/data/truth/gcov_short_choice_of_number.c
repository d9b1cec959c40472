#include <stdio.h>

static int f(int x)
{
    int r = x ?: 5;
    r += x > 1 ?: -1;
    return r;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d\n", f(i));
    return 0;
}
