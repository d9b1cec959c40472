#include <stdio.h>

static int n;

static int gate(int x)
{
    if (({ if (x == 2) return 5; x > 2; }) || x == 0)
        n++;
    n += 10;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 5; i++)
        r += gate(i);
    printf("%d %d\n", r, n);
    return 0;
}
