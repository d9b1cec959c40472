#include <stdio.h>
#define LEVEL 2
#define FAST 1

static int f(int x)
{
    int r = 0;
#if LEVEL > 1
    r += x;
#else
    r -= x;
#endif
    switch (x) {
#ifdef FAST
    case 1:
        r += 5;
        break;
#endif
#ifdef SLOW
    case 2:
        r += 7;
        break;
#endif
    default:
        r++;
#undef FAST
        break;
    }
#line 100 "other.c"
    return r;
}

int main(void)
{
    printf("%d %d %d\n", f(1), f(2), f(3));
    return 0;
}
