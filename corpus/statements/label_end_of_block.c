/* Exercises labels before the closing brace of a block, a loop body, and a function. */
#include <stdio.h>

static int odd_sum(const int *v, int n)
{
    int s = 0, skipped = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] % 2 == 0)
            goto next;
        if (v[i] < 0) {
            puts("negative");
            skipped++;
            goto next;
        }
        s += v[i];
    next:;
    }
    if (skipped) {
        printf("skipped %d\n", skipped);
        s = -s;
    }
    return s;
}

static void report(int n)
{
    if (n > 100) {
        if (n > 1000)
            goto quiet;
        printf("large %d\n", n);
        goto quiet;
    }
    {
        if (n == 0)
            goto end_of_block;
        printf("small %d\n", n);
        end_of_block: ;
    }
    printf("done %d\n", n);
quiet:
    ;
}

int main(void)
{
    int v[] = { 1, 2, 3, 4, 5, 6, 9 };
    int s = odd_sum(v, 7);

    report(0);
    report(s);
    switch (s) {
    case 18:
        s++;
        break;
    case 19:
        puts("nineteen");
        s = 0;
    default: ;
    }
    do {
        if (s) goto skip;
        puts("zero");
        s = 5;
    skip: ;
    } while (s < 10);
    printf("%d\n", s);
    return 0;
}
