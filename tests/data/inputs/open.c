/* Functions on which the search once did worse than users expected; see findings.rs. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct flags { unsigned low : 3; int plain; };

int hello(const char *s)
{
    const char *t = "hello";
    while (*s && *s == *t) {
        s++;
        t++;
    }
    if (*s == *t)
        return 1;
    return 0;
}

int compared(const char *s) { return strcmp(s, "hello") == 0 ? 1 : 0; }

int chained(struct flags f)
{
    if (f.plain == 5 && f.low)
        return 1;
    return 0;
}

bool kept(int a, int b)
{
    bool ok = a == 50021;
    ok = ok && b == 70001;
    return ok;
}

int triangle(int a, int b, int c)
{
    return a > 0 && b > a && c > b && c < 1000 && a * a + b * b == c * c;
}

/* -0.0 is 0. */
double no_sign(double x)
{
    if (x < 0.0)
        return -0.0;
    return 0.0;
}

int straight(int x) { return x + 1; }

int macro(int x)
{
    if (errno == x)
        return 1;
    return 0;
}
