/* Exercises old-style definitions mixed with prototypes, nested calls and a dead old-style helper. */
#include <stdio.h>

static int gap(int lo, int hi);

static int gap(lo, hi)
    int lo, hi;
{
    int d;

    if (lo > hi)
    {
        d = lo;
        lo = hi;
        hi = d;
        puts("exchanged");
    }
    d = hi - lo;
    return d;
}

static int
sum_to(v, n)
    int *v;
    int n;
{
    int s;
    int i;

    s = 0;
    for (i = 0; i < n; ++i)
    {
        if (v[i] < 0)
        {
            puts("negative value");
            continue;
        }
        s += v[i];
    }
    return s;
}

static void
complain(what, status)
    char *what;
    int status;
{
    fprintf(stderr, "%s\n", what);
    if (status)
        printf("status %d\n", status);
}

int
main(argc, argv)
    int argc;
    char **argv;
{
    int v[4];
    int i;

    for (i = 0; i < 4; i++)
        v[i] = gap(i, 3 * i + 1);
    if (argc > 40)
    {
        complain("too many arguments", argc);
        complain(argv[0], 0);
        return 2;
    }
    printf("%d %d\n", v[3], sum_to(v, 4));
    return 0;
}
