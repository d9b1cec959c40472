#include <stdio.h>

static int left;

#define PULL() \
    do { \
        if (left == 0) \
            goto end; \
        left--; \
        bits++; \
    } while (0)

#define NEED(n) \
    do { \
        while (bits < (n)) \
            PULL(); \
    } while (0)

static int pull(int n)
{
    int sum = 0;
    int bits = 0;
    left = n;
    for (;;) {
        NEED(sum & 3);
        sum++;
        PULL();
        if (n > 10) {
            NEED(9);
            PULL();
        }
        PULL();
        sum += 2;
    }
end:
    return sum;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += pull(i);
    printf("%d\n", sum);
    return 0;
}
