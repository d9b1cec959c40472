/* Control: a function counts by the return address of its caller, which moves with deleted code. */
#include <stdint.h>
#include <stdio.h>

static unsigned weights;

static __attribute__((noinline)) void weigh(void)
{
    uintptr_t from = (uintptr_t)__builtin_return_address(0);
    if (from == 0) {
        puts("no caller");
        weights = 0;
        return;
    }
    for (unsigned i = 0; i < (from & 63); i++)
        weights++;
}

static int caller(int n)
{
    if (n > 3) {
        puts("large");
        n = 3;
        weigh();
        goto out;
    }
    weigh();
    if (n < 0) {
        puts("negative");
        n = 0;
    }
    weigh();
out:
    return n;
}

int main(void)
{
    int n = caller(1) + caller(2);
    weigh();
    if (n > 10) {
        puts("too much");
        return 1;
    }
    printf("%u\n", weights);
    return 0;
}
