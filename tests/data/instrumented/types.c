#include <stdarg.h>
int printf(const char *, ...);
struct pair {
    int one, other;
};
static int sum(int n, ...) // 2
{
    va_list list; // 2
    int total = 0; // 2
    va_start(list, n); // 2
    while (n--) // 2 7
        total += __builtin_va_arg(list, struct { // 5
                                            int x;
                                        } *) ? 1 : 0; // 0 5
    va_end(list); // 2
    return total; // 2
}
int main(void) // 1
{
    _Static_assert(sizeof(int) > 1 && sizeof(int) < 100, "size");
    int n = 3, *p = &n; // 1
    __typeof__((void)0, *p) copy = *p; // 1
    extern __typeof(printf) puts; // 1
    static volatile _Atomic(_Bool) flag; // 1
    flag = (_Bool)1; // 1
    if (_Alignof(_Bool) > __alignof__(*p)) // 1
        copy = 0; // 0
    __const int limit = (__typeof__(n))(__signed__ char)7; // 1
    (int){0} = 1; // 1
    (struct pair){1, 2} = (struct pair){.one = 3, other: 4}; // 1
    n += sum(2, p, p) + sum(3, p, p, p); // 1
    double _Complex z = 1.0 + 2.0i; // 1
    __real__ z = 3; // 1
    n += _Generic(z, double _Complex: 1, default: copy); // 1
    static struct { // 1
        unsigned int : 1;
        unsigned int bit : 1;
    } fields = {.bit = 1};
    return !(printf("%d %d %d %d\n", n, copy, limit, fields.bit) > 0 && n == 9 && __real__ z > 2); // 1
}
