/* Loops, a switch and dead code that every profiler counts correctly. */
#include <stdio.h>

static int kind(int n)
{
    switch (n % 3) {
    case 0:
        return 10;
    case 1:
        return 11;
    default:
        if (n > 100) {
            puts("never printed");
            n = 0;
        }
        return n;
    }
}

int main(void)
{
    int sum = 0;
    for (int n = 0; n < 6; n++) {
        if (n > 50) {
            puts("never printed");
            sum = 0;
        }
        sum += kind(n);
    }
    printf("%d\n", sum);
    return 0;
}
