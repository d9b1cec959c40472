#include <stdio.h>

static inline int __attribute__((always_inline)) twice(int x, int is_twice)
{
    if (is_twice)
        x *= 2;
    return x;
}

int main(void)
{
    int n[] = {3, 4};
    twice(5, 1);
    n[1] = twice(n[1], 0);
    n[0] = twice(n[0], 1);
    printf("%d\n", n[0] + n[1]);
    return 0;
}
