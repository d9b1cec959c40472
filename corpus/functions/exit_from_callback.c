/* Exercises exit() called from a callback of qsort, with an atexit handler; the callers never resume. */
#include <stdio.h>
#include <stdlib.h>

static int comparisons;
static int limit = 6;

static void summary(void)
{
    printf("comparisons %d\n", comparisons);
    if (comparisons > limit) {
        puts("went over the limit");
        comparisons = limit;
    }
    fflush(stdout);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;

    comparisons++;
    if (comparisons == limit) {
        puts("limit");
        exit(12);
        comparisons = 0;
    }
    if (x == y) {
        puts("equal");
        return 0;
    }
    return x < y ? -1 : 1;
}

int main(void)
{
    int v[16];

    if (atexit(summary)) {
        puts("no summary");
        return 1;
    }
    for (int i = 0; i < 16; i++)
        v[i] = (i * 37) % 16;
    qsort(v, 16, sizeof v[0], compare);
    puts("sorted");
    for (int i = 0; i < 16; i++) {
        printf("%d\n", v[i]);
        if (v[i] != i)
            return 2;
    }
    return 0;
}
