#include <stdio.h>

static int f(int a, int b)
{
    if (a && b)
    { int n;
        n = a;
        if (n > 1)
            return 3;
        a += n;
    } else
        a--;
    return a;
}

int main(void)
{
    printf("%d\n", f(1, 1) + f(2, 1) + f(0, 1));
    return 0;
}
