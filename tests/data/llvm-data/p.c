/* What the recorded programs and profiles in this folder are about: each part of llvm-cov's data occurs in it. */
#include <setjmp.h>
#include <stdio.h>
#include "shared.h"

#define BOTH(a, b) ((a) > 1 && (b) > 1)
#define COUNT(n) do { if (BOTH(n, n + 1)) total++; total++; } while (0)
#define NOTHING

extern inline int twice(int n);
static int total;
static jmp_buf place;

static inline int unused(int n) { return n ? n : 2; }

/* setjmp returns three times, so the arm that is not taken has a count below zero. */
static int returns(void)
{
    static int n;
    if (setjmp(place))
        n++;
    if (n < 2)
        longjmp(place, 1);
    return n;
}

int main(int argc, char **argv)
{
    NOTHING
    for (int i = 0; i < argc + 1; i++) {
        if (i == 1)
            continue;
        COUNT(i);
#if 0
        total = 9;
#endif
    }
    switch (argc) {
    case 1:
        total += twice(3);
        break;
    default:
        total += argc > 2 ? 5 : other(total);
    }
    COUNT(argc);
    printf("%d %d\n", total, returns());
    return 0;
}
