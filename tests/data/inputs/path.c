/* Functions with paths to take; tests/inputs/paths.rs knows which inputs take them. */

double square(double x) { return x * x; }

/* Figure 4 of the paper on Mathematical Execution. */
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

int count(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}

/* Only 5 continues with 16, 8, 4, 2, 1. */
int collatz(int n)
{
    int steps = 0;
    while (n > 1) {
        if (n % 2 != 0)
            n = (int)(3u * (unsigned)n + 1u);
        else
            n /= 2;
        steps++;
    }
    return steps;
}

int chain(int a, int b, int c)
{
    if ((a > 10 && b < -5) || c == 77)
        return 1;
    return 0;
}

int apart(int x)
{
    int r = 0;
    if (x > 10)
        r += 1;
    if (x < 5)
        r += 2;
    return r;
}

int around(int k, double x)
{
    switch (k) {
    case 3:
        if (x == k * 2.5)
            return 1;
        break;
    case 70:
        if (x < -100.0)
            return 2;
        break;
    }
    if (x > 0.0)
        return 3;
    return 4;
}

int nested(int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s++;
    return s;
}

int sorted(const int a[3])
{
    int r = 0;
    if (a[0] < a[1])
        r = 1;
    if (a[1] < a[2])
        r |= 2;
    if (a[0] - a[2] == 1000)
        r |= 4;
    return r;
}

int halves(double x)
{
    int n = 0;
    while (x > 1.0) {
        x /= 2.0;
        n++;
    }
    return n;
}

int wraps(unsigned u)
{
    int r = 0;
    if (u + 10u < u)
        r = 1;
    if (u % 2 == 0)
        r += 2;
    return r;
}

/* No square has the remainder 3 by 4, however it wraps. */
int root(unsigned n)
{
    if (n * n == 1000003u)
        return 1;
    return 0;
}

int sevens(int n)
{
    int steps = 0;
    do {
        n -= 7;
        steps++;
    } while (n > 0);
    return steps;
}

int leaves(int n, float f)
{
    for (int i = 0; i < 100; i++) {
        if (i * 3 > n)
            break;
        if (f == (float)i + 0.25f)
            return i;
    }
    return -1;
}

int jumps(long long n)
{
again:
    if (n == 1000000007LL)
        return 1;
    if (n > 0) {
        n = -n;
        goto again;
    }
    return 0;
}

/* Its own input counts how often the condition holds. */
int twice(short a, short b)
{
    int met = 0;
    for (int i = 0; i < 2; i++)
        if ((i == 0 ? a : b) == 321)
            met++;
    return met;
}
