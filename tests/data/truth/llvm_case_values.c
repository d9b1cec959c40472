#include <stdio.h>

#define NEXT do { if (++steps > 50 || sp > 7) goto halt; goto *ops[0]; } while (0)

enum { N = 3, M = 0 };

static int selected(int n)
{
    int r = 0;

    switch (n) {
    case N && 1:
        r += 3;
        break;
    case N > 2 || M ? 6 : 7:
        r += 5;
        break;
    }
    return r;
}

static int computed(void)
{
    static const void *const ops[] = { &&add };
    _Alignas(N > 2 ? 16 : 8) int steps = 0;
    int sp = 0;

    NEXT;
add:
    if (++sp == 6)
        return 9;
    NEXT;
halt:
    return steps;
}

int main(void)
{
    int t = 0;

    for (int i = 0; i < 8; i++)
        t = t * 3 + selected(i);
    printf("%d %d\n", t, computed());
    return 0;
}
