/* Exercises structs and unions passed and returned by value, small and large. */
#include <stdio.h>

struct fraction { long num, den; };
struct big { int v[40]; int used; };
union number { int i; float f; };

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }

static struct fraction make(long num, long den)
{
    struct fraction f = { num, den };
    if (den == 0) {
        puts("zero denominator");
        f.num = 0;
        f.den = 1;
        return f;
    }
    if (f.den < 0) {
        f.num = -f.num;
        f.den = -f.den;
    }
    long g = gcd(f.num < 0 ? -f.num : f.num, f.den);
    f.num /= g;
    f.den /= g;
    return f;
}

static struct fraction plus(struct fraction a, struct fraction b)
{
    return make(a.num * b.den + b.num * a.den,
                a.den * b.den);
}

static struct big push(struct big b, int value)
{
    if (b.used == 40) {
        puts("full");
        return b;
    }
    b.v[b.used++] = value;
    return b;
}

static union number flip(union number n, int as_float)
{
    if (as_float) {
        n.f = -n.f;
        puts("float");
    } else
        n.i = -n.i;
    return n;
}

int main(void)
{
    struct fraction sum = { 0, 1 };
    struct big b = { .used = 0 };

    for (int i = 1; i <= 6; i++) {
        sum = plus(sum, make(1, i));
        b = push(push(b, i), (int)sum.den);
    }
    printf("%ld/%ld %d %d\n", sum.num, sum.den, b.used, b.v[11]);
    printf("%d\n", flip((union number){ .i = 5 }, 0).i);
    if (push(b, 0).used != 13) {
        b.used = 0;
        puts("push is broken");
        return 1;
    }
    return 0;
}
