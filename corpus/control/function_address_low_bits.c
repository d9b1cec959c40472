/* Control: prints the low 12 bits of function addresses, which move as soon as code before them is deleted. */
#include <stdint.h>
#include <stdio.h>

static int early(int n)
{
    if (n > 10) {
        puts("large");
        n = 10;
        return n * 2;
    }
    return n + 1;
}

static int never(int n)
{
    int i;
    for (i = 0; i < n; i++)
        printf("%d\n", i);
    return i;
}

static int late(int n)
{
    if (n < 0)
        goto negative;
    return n - 1;
negative:
    puts("negative");
    n = 0;
    return n;
}

int main(void)
{
    int v = late(early(3));
    printf("%03x\n", (unsigned)((uintptr_t)&early & 0xfff));
    printf("%03x\n", (unsigned)((uintptr_t)&late & 0xfff));
    printf("%03x\n", (unsigned)((uintptr_t)&main & 0xfff));
    if (v > 100) {
        v = never(v);
        puts("impossible");
        return 1;
    }
    printf("%d\n", v);
    return 0;
}
