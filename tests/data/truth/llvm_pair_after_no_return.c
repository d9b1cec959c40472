#include <stdio.h>
#include <stdlib.h>
static int f(int x)
{
    int n = 1;
    {
        if (x > 1)
            return n + 1;
        n += x;
    }
    n -= x;
    return x;
}
static void leave(int x)
{
    if (x > 2)
        exit(0);
    printf("%d\n", x);
}
int main(void)
{
    for (int i = 0; i < 9; i++) {
        leave(f(i) + i);
        printf("behind\n");
    }
    return 1;
}
