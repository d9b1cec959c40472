/* Boundary values: for each condition an input that makes its operands equal, or none. */
#include <stddef.h>

double square(double x) { return x * x; }

/* Figure 5 of the paper on Mathematical Execution. */
double FOO(double x)
{
    double y;
    if (x <= 1.0)
        x++;
    y = square(x);
    if (y == 4.0)
        x--;
    return x;
}

int integers(int x)
{
    int r = 0;
    if (x > 100)
        r = 1;
    if (x == -7)
        r = 2;
    if (x != 12345678)
        r = 3;
    return r;
}

/* A square and 1 is never 0.5, and twice a number never 7. */
int never(double x, int n)
{
    int r = 0;
    if (x * x + 1.0 > 0.5)
        r = 1;
    if (2 * n == 7)
        r = 2;
    if (2 * n > 8)
        r = 3;
    return r;
}

/* An odd number is never 0; 0 is the boundary of an unsigned value. */
int naturals(unsigned u)
{
    int r = 0;
    if ((u | 1u) > 0u)
        r = 1;
    if (u < 0u)
        r = 2;
    if (u + 1u < 5u)
        r = 3;
    return r;
}

/* 0.1f is a float, but 0.1 is not. */
int floats(float f)
{
    int r = 0;
    if (f > 0.1f)
        r = 1;
    if (f > 0.1)
        r = 2;
    return r;
}

int behind(double x, double y)
{
    if (x > 1000.0)
        if (y < 2.0 * x)
            return 1;
    return 0;
}

int both(int a, int b)
{
    if (a < 5 && b > a)
        return 1;
    return 0;
}

int pointer(const int *p)
{
    if (p == NULL)
        return 1;
    if (*p >= 4096)
        return 2;
    return 0;
}

int bytes(unsigned char c, signed char d)
{
    int r = 0;
    if (c >= 255)
        r = 1;
    if (c > 256)
        r = 2;
    if (d < -128)
        r = 3;
    return r;
}

int truth(int x, double y)
{
    int r = 0;
    if (x)
        r = 1;
    if (!y)
        r = 2;
    return r;
}
