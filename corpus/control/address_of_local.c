/* Control: prints the address of a local variable, which differs from run to run. */
#include <stdio.h>

static int use(int *p, int n)
{
    int here = n;

    if (n < 0) {
        puts("negative");
        n = 0;
        *p = n;
        return -1;
    }
    printf("here %p\n", (void *)&here);
    *p += here;
    return *p;
}

int main(void)
{
    int total = 0;

    for (int i = 0; i < 3; i++) {
        if (use(&total, i) < 0) {
            fprintf(stderr, "failed at %d\n", i);
            total = -1;
            goto out;
        }
    }
    printf("total %d at %p\n", total, (void *)&total);
    if (total > 100) {
        puts("too much");
        return 1;
    }
out:
    return 0;
}
