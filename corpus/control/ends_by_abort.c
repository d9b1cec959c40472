/* Control: ends by abort(), so that no profile is written. */
#include <stdio.h>
#include <stdlib.h>

static int shrink(int n)
{
    if (n > 1000) {
        puts("too large");
        n = 1000;
        return n;
    }
    return n / 2;
}

int main(void)
{
    int n = 100;

    while (n > 0) {
        n = shrink(n);
        if (n == 77) {
            puts("seventy-seven");
            goto out;
        }
    }
    printf("n %d\n", n);
    fflush(stdout);
    if (n == 0)
        abort();
    puts("after abort");
    n = 1;
out:
    puts("out");
    return n;
}
