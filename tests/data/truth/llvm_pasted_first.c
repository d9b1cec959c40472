#include <stdio.h>

#define SET(L, N, R, I) L N##I R
#define BOTH(L, N, R) SET(L, N, R, 0), SET(L, N, R, 1)

static int table[2] = {3, 4};

int main(void)
{
    int *at, x0, x1;
    for (int i = 0; i < 3; i++) {
        at = table;
        BOTH(, x, = *(at++));
        at = table;
        BOTH(*(at++) =, x, + i);
    }
    printf("%d\n", table[0] + table[1]);
    return 0;
}
