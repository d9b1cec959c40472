#include <stdio.h>

extern void __llvm_profile_reset_counters(void);

static int twice(int value)
{
    return 2 * value;
}

int main(void)
{
    int sum = twice(1);

    __llvm_profile_reset_counters();
    sum += twice(2);
    if (sum > 0)
        puts("done");
    return 0;
}
