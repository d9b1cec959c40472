#include <stdio.h>

static inline int used(int x) { return x + 1; }
static inline int never(int x) { return x - 1; }
static int twice(int x) { return 2 * x; } static int thrice(int x) { return 3 * x; }
__attribute__((unused)) static int dead(int x)
{
    if (x)
        return never(x);
    return thrice(x);
}

#define MAKE(name, op) static int name(int a) { return a op 2; }
MAKE(plus, +)
MAKE(minus, -)

int main(void)
{
    int (*p)(int) = used;
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += p(i) + twice(i) + plus(i);
    printf("%d %d\n", s, (int)sizeof(minus(3)));
    return 0;
}
