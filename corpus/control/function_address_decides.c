/* Control: a loop count is taken from the distance between two functions, which changes with deleted code. */
#include <stdint.h>
#include <stdio.h>

static int first(int n)
{
    if (n == 0) {
        puts("zero");
        n = 1;
        n += 2;
        return n;
    }
    return n * 2;
}

static void unused_between(void)
{
    int a = 1;
    a += 2;
    a *= 3;
    printf("unused %d\n", a);
}

static int second(int n)
{
    if (n < 0) {
        unused_between();
        goto bad;
    }
    return n + 5;
bad:
    puts("bad");
    return 0;
}

int main(void)
{
    uintptr_t distance = (uintptr_t)second - (uintptr_t)first;
    unsigned rounds = (unsigned)(distance & 0xff);
    int sum = 0;

    while (rounds-- > 0) {
        sum += first(1);
        if (sum % 3 == 0)
            sum = second(sum);
    }
    if (sum < 0) {
        puts("negative");
        return 1;
    }
    return 0;
}
