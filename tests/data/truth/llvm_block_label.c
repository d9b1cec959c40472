#include <stdio.h>

static int hits;

static int shrink(int x)
{
retry:
    {
        if (x < 3)
            return x;
        hits++;
    }
    x /= 2;
    if (x % 2)
        goto retry;
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 20; i += 3)
        s += shrink(i);
    printf("%d %d\n", s, hits);
    return 0;
}
