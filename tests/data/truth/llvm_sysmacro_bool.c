#include <stdbool.h>
#include <stdio.h>

static int primes(int lim)
{
    int n = 0;
    for (int i = 2; i < lim; i++) {
        if (i > 2 && i % 2 == 0)
            continue;
        bool ok = true;
        for (int d = 3; d * d <= i; d += 2)
            if (i % d == 0)
                ok = false;
        n += ok;
    }
    return n;
}

int main(void)
{
    printf("%d %d\n", primes(10), primes(30));
    return 0;
}
