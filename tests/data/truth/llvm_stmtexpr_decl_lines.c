#include <stdio.h>

static int calls;

static int twice(int v)
{
    calls++;
    return v + v;
}

static int build(int x)
{
    int lo = ({ if (x > 3) return 0; x; }),
        hi = twice(x),
        top = twice(hi);
    printf("%d..%d ", lo, top);
    return hi;
}

int main(void)
{
    int s = 0;
    for (int x = 0; x < 6; x++)
        s += build(x);
    printf("%d %d\n", s, calls);
    return 0;
}
