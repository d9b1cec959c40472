#include <stdio.h>

static int n;

static int pick(int x)
{
    int k = ({ if (x > 3) return 1; x; }) ? 5 : 6;
    n += k;
    n += 100;
    return 0;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += pick(i);
    printf("%d %d\n", s, n);
    return 0;
}
