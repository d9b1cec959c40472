#include <stdio.h>

static int fast;

static int route(int x)
{
    void *exits[] = { &&big, &&huge };
    if (x > 2)
        goto *exits[x > 4];
    fast += x;
    return 0;
huge:
    fast += 100;
big:
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 7; i++)
        s += route(i);
    printf("%d %d\n", s, fast);
    return 0;
}
