#ifndef CALL
#include <stdio.h>

#define BELOW(x, y) ((x) < (y))
#define GOES_ON(x) BELOW(x, 8)

static int seen;

static void see(int x)
{
    seen += x;
}

int main(void)
{
#define CALL(n) \
    see n;
#include "llvm_self_include.c"
#undef CALL
    while (GOES_ON(seen))
        seen++;
    printf("%d\n", seen);
    return 0;
}

#else
CALL((1))
CALL((2))
CALL((3))
#endif
