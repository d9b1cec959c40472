#include <stdio.h>

static int used;

static int scale(int v)
{
    int d = ({
        if (v < 0)
            return -1;
        v * 2;
    });
    used += d;
    return d;
}

int main(void)
{
    int s = 0;
    for (int v = -2; v < 4; v++)
        s += scale(v);
    printf("%d %d\n", s, used);
    return 0;
}
