/* Exercises one macro used several times on a line, in live and in dead code, and macros that call functions. */
#include <stdio.h>

#define T(x) (calls++, (x))
#define DO(x) { x; x; }
#define EITHER(c, a, b) if (c) { a; } else { b; }
#define INC(n) (n)++

static int calls;

static int pick(int i) { EITHER(i > 0, return T(i), puts("none"); return T(0)) }

int main(void)
{
    int a = 0, b = 0, c = 5;

    DO(a++) DO(b += 2) DO(DO(c--))
    EITHER(a > b, puts("a"); a = 0, b -= a) EITHER(b == 2, c += 10, c = 0; b = 0)
    while (T(a) < 6 && T(b) < 100) { INC(a); INC(b); if (T(c) < 0) { INC(c); DO(puts("c")) } }
    for (int i = 0; T(i) < 3; INC(i)) { EITHER(i == 7, puts("seven"); DO(i++), a += pick(i + 1)) }
    if (T(a) == b) { DO(puts("same")) INC(a); } else { INC(b); }
    if (T(b) < 0) {
        DO(puts("negative"))
        INC(b); INC(b);
        b = T(0);
        return 2;
    } else if (calls > 1000) {
        puts("many calls");
        calls = 0;
    }
    EITHER(T(c) == 1000,
           puts("thousand");
           c = T(0);
           return 1,
           INC(c);
           INC(c))
    if (a < 0)
        DO(a = T(1))
    printf("%d %d %d %d\n", a, b, c, calls);
    return 0;
}
