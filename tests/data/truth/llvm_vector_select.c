#include <stdio.h>

typedef int v2 __attribute__((ext_vector_type(2)));

static int n;

static v2 blend(int x)
{
    v2 mask = { -1, 0 }, a = { x, x }, b = { 9, 9 };
    v2 r = mask ?
        ({ n++;
           n += 10;
           a; }) :
        ({ n += 100;
           n += 1000;
           b; });
    return r;
}

int main(void)
{
    v2 r = blend(3) + blend(4);
    printf("%d %d %d\n", r.x, r.y, n);
    return 0;
}
