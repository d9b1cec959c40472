#include <stdio.h>

static int left;

#define PULL() \
    do { \
        if (left == 0) \
            goto end; \
        left--; \
    } while (0)

static int pull(int n)
{
    int sum = 0;
    left = n;
    if (n > 10) {
        PULL();
        PULL();
    }
    for (;;) {
        PULL();
        sum++;
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
