/* Exercises _Generic selection, constant conditions from macros and stringised code. */
#include <stdio.h>

#define DEBUG 0
#define FEATURE 1
#define ABS(x) _Generic((x), int: abs_int, long: abs_long, double: abs_double)(x)
#define TYPE_NAME(x) _Generic((x), int: "int", long: "long", double: "double", default: "other")
#define RUN(code) do { puts(#code); code; } while (0)

static int abs_int(int v)
{
    if (v < 0)
        return -v;
    return v;
}

static long abs_long(long v)
{
    puts("long");
    if (v < 0)
        v = -v;
    return v;
}

static double abs_double(double v)
{
    if (v != v) {
        puts("not a number");
        v = 0;
    }
    return v < 0 ? -v : v;
}

int main(void)
{
    int n = -12;
    double d = -2.5;

    if (DEBUG) {
        puts("debugging");
        printf("n is %d\n", n);
    }
    if (FEATURE)
        n = ABS(n);
    else {
        puts("no feature");
        n = 0;
    }
    while (DEBUG)
        n--;
    if (!FEATURE || n < 0) {
        n = (int)ABS((long)n);
        d = 0;
    }
    RUN(n += 5);
    RUN(d = ABS(d));
    if (n > 1000)
        RUN(n = 1000);
    printf("%d %.2f %s %s %s\n", n, d, TYPE_NAME(n), TYPE_NAME(d), TYPE_NAME("s"));
    return 0 && DEBUG;
}
