#include <stdio.h>

#define BELOW(x, y) ((x) < (y))
#define GOES_ON(x) BELOW(x, 8)

static int n;

int main(void)
{
#define ADD(a)  \
    n += a;     \
    n -= 1;
    for (int i = 0; i < 3; i++) {
        ADD(i)
    }
#undef ADD
#define ADD(a)  \
    n += 2 * a; \
                \
    n -= 3;
    for (int i = 0; i < 5; i++) {
        ADD(i)
    }
#undef ADD
    while (GOES_ON(n))
        n++;
    printf("%d\n", n);
    return 0;
}
