/* Exercises old-style function definitions, with and without declared parameters. */
#include <stdio.h>

int depth;

int power(base, exponent)
    int base;
    int exponent;
{
    int r = 1;
    if (exponent < 0) {
        printf("negative exponent\n");
        exponent = 0;
        depth++;
    }
    while (exponent-- > 0)
        r *= base;
    return r;
}

long hash(s, n)
char *s; int n;
{
    long h = 5381;
    register int i;
    for (i = 0; i < n && s[i]; i++)
        h = (h * 33 + s[i]) % 1000003;
    return h;
}

static unused_old(a, b, c)
int a, b;
char *c;
{
    printf("%d %d %s\n", a, b, c);
    if (a > b)
        return a;
    return b;
}

void report(value)
long value;
{
    if (value == 0) {
        puts("zero");
        return;
    }
    printf("value %ld\n", value);
}

implicit_int()
{
    depth += 2;
    return depth;
}

int main()
{
    report((long)power(3, 5));
    report(hash("old style", 9));
    if (implicit_int() != 2) {
        puts("wrong depth");
        return unused_old(1, 2, "old");
    }
    return 0;
}
