/* Functions that take every kind of parameter. All branches of all of them can be taken. */
#include <stdbool.h>
#include <stddef.h>

enum colour { RED, GREEN = 5, BLUE = 1000 };
struct point { int x; double y; };
struct flags { unsigned low : 3; int high : 5; int plain; };
struct pair { struct point from, to; };

int an_int(int x) { return x == -123456789 ? 1 : 0; }
int an_unsigned(unsigned u) { return u == 4000000000u ? 1 : 0; }
int a_long_long(long long x) { return x == -9000000000000000001LL ? 1 : 0; }
int a_byte(unsigned char c) { return c == 200 ? 1 : 0; }
int a_char(char c) { return c == 'q' ? 1 : 0; }
int a_short(short s) { return s == -32768 ? 1 : 0; }
int a_float(float f) { return f == 0.1f ? 1 : 0; }
int a_long_double(long double x) { return x == -0.5L ? 2 : x == 0.5L ? 1 : 0; }
int a_bool(bool b) { return b ? 1 : 0; }
int an_enum(enum colour c)
{
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 3;
    }
    return 0;
}
int a_range(int c)
{
    switch (c) {
    case 1000 ... 1999: return 1;
    case -5 ... -3: return 2;
    case 77777777: return 3;
    default: return 0;
    }
}
int a_pointer(int *p)
{
    if (!p)
        return -1;
    if (*p == 424242) {
        *p = 0;
        return 1;
    }
    return 0;
}
int two_pointers(const double *p, const double *q)
{
    if (p && q && *p > 1e10 && *q < *p)
        return 1;
    return 0;
}
int three(int a[3])
{
    if (a[0] == 11 && a[1] == 22 && a[2] == 33)
        return 1;
    return 0;
}
int grid(int a[2][2])
{
    if (a[1][0] > 100 && a[0][1] == a[1][0] * 2)
        return 1;
    return 0;
}
int letters(const char *s)
{
    if (s[0] == 'h' && s[1] == 'e' && s[2] == 'l' && s[3] == 'l' && s[4] == 'o' && s[5] == 0)
        return 1;
    return 0;
}
int by_value(struct point p)
{
    if (p.x == 17 && p.y == 2.5)
        return 1;
    return 0;
}
int by_pointer(const struct pair *p)
{
    if (p == NULL)
        return 2;
    if (p->from.x == p->to.x && p->from.y == -p->to.y && p->to.y > 1.0)
        return 1;
    return 0;
}
static int hidden(int x, unsigned long y)
{
    if (x < 0 && y > 0x8000000000000000ul)
        return 1;
    return 0;
}
int old(n, f)
    int n;
    float f;
{
    if (n > 10 && f < -0.5f)
        return 1;
    return 0;
}
int mixed(signed char c, unsigned short s, float f, double d)
{
    if (c < s)
        if (f > d)
            return 1;
    return 0;
}
int flags(struct flags f)
{
    if (f.low)
        return 1;
    if (f.high == -3)
        return 2;
    return 0;
}
