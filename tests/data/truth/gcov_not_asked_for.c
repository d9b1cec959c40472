#include <stdatomic.h>
#include <stdlib.h>
#define KIND(v) _Generic(0 ? (v) : (void *)1, const int *: 1, default: kind(v))
static int kind(int *p)
{
    return *p > 1;
}
__attribute__((no_profile_instrument_function)) int hidden(int a)
{
    return a && a > 1 ? 2 : 3;
}
extern inline __attribute__((gnu_inline)) int twice(int a)
{
    return 2 * a;
}
int twice(int a)
{
    return 2 * a;
}
int expects(int a, int b)
{
    if (__builtin_expect(a && b, 1))
        return 1;
    if (!__builtin_expect(a || b, 0))
        return 2;
    return 3;
}
int main(void)
{
    int n = 0, m = 2;
    n++;
    m *= 2;
    if (KIND(&n))
        n += hidden(m);
    if (m > 1 &&
        KIND(&m))
        n--;
    n += twice(m) + expects(1, 1) + expects(0, 1) + expects(0, 0);
    return expects(m, 0) + expects(n, m) - 4;
}
