/* Exercises a sieve and factorisation, with limit checks that never fail. */
#include <stdio.h>
#include <string.h>

#define LIMIT 2000

static char composite[LIMIT + 1];
static int primes[400], prime_count;

static void sieve(void) {
    int i, j;
    memset(composite, 0, sizeof composite);
    for (i = 2; i <= LIMIT; i++) {
        if (composite[i]) continue;
        if (prime_count == 400) {
            puts("table is full");
            prime_count--;
            return;
        }
        primes[prime_count++] = i;
        if (i > LIMIT / i)
            continue;
        for (j = i * i; j <= LIMIT; j += i)
            composite[j] = 1;
    }
}

static int factor(int n) {
    int distinct = 0;
    if (n < 2) {
        printf("cannot factor %d\n", n);
        return 0;
    }
    for (int k = 0; k < prime_count && n > 1; k++) {
        int power = 0;
        while (n % primes[k] == 0) {
            n /= primes[k];
            power++;
        }
        if (power == 0)
            continue;
        distinct++;
        if (power > 1)
            printf("%d^%d ", primes[k], power);
        else
            printf("%d ", primes[k]);
    }
    if (n > 1) {
        printf("rest %d ", n);
        distinct++;
        if (n > 1000000) {
            printf("(huge) ");
        }
    }
    putchar('\n');
    return distinct;
}

int main(void) {
    int total;
    sieve();
    printf("%d primes, last %d\n", prime_count, primes[prime_count - 1]);
    total = factor(5040);
    total += factor(1999 * 4);
    if (prime_count != 303) {
        puts("wrong count");
        total = -total;
        return 1;
    } else if (total == 0)
        puts("no factors");
    printf("%d\n", total);
    return 0;
}
