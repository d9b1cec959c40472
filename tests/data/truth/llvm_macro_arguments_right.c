#include <assert.h>
#include <ctype.h>
#include <stdio.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define IF_X(...)
#define DROPPED(a) ((void)0)
#define TEXT(a) puts(#a)
#define RUN(...) do { __VA_ARGS__ } while (0)
#define BOTH(a, b) a; b

static int n;

static int twice(int x, int y)
{
    return MAX(x &&
               y, 0);
}

static int nothing(int a, int b, int d)
{
    if (a
        && b
        IF_X(&& b)
        && d) return 1;
    return 0;
}

static int dropped(int a, int b)
{
    if (a)
        DROPPED(a &&
                b);
    if (b)
        TEXT(a &&
             b);
    assert(a >= 0 &&
           b >= 0);
    return isdigit(a +
                   '0');
}

static int statements(int a)
{
    RUN(n += a;
        if (a)
            n++;
        n--;);
    while (a-- > 0) {
        BOTH(n += a,
             n -= 2);
        BOTH(n += MAX(a,
                      n),
             n -= 2);
    }
    return n;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 4; i++) {
        r += twice(1, 1) + twice(i, i > 2);
        r += nothing(0, 0, 0) + nothing(1, i > 2, 1);
        r += !!dropped(i, i > 2);
        r += statements(i);
    }
    printf("%d %d\n", r, n);
    return 0;
}
