/* Exercises macros with one or several statements, used in live and in dead code. */
#include <stdio.h>

#define BUMP(x) x++;
#define SWAP(a, b) { int t = a; a = b; b = t; }
#define SHOW(x) printf(#x " = %d\n", x)
#define RESET(x, y) x = 0; y = 0; puts("reset")
#define IF_NEGATIVE(x) if ((x) < 0)

int main(void)
{
    int a = 3, b = 8, c = 0;

    BUMP(a)
    SWAP(a, b)
    SHOW(a);
    SHOW(b);
    while (c < 3) {
        BUMP(c)
        BUMP(a) BUMP(b)
        if (a > 1000) {
            RESET(a, b);
            SWAP(a, c)
        }
    }
    IF_NEGATIVE(a) {
        puts("a is negative");
        a = -a;
    }
    IF_NEGATIVE(b)
        SHOW(b);
    else
        SHOW(a + b);
    IF_NEGATIVE(-c) c *= 2;
    if (c == 0) {
        BUMP(c)
        SHOW(c);
        RESET(a, c);
    } else {
        SHOW(c);
    }
    if (a == b)
        SWAP(a, b)
    if (c != 6) { RESET(a, c); return 1; }
    return 0;
}
