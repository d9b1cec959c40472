/* Control: __COUNTER__ is used in dead and in live code, so deleting the dead code renumbers the live code. */
#include <stdio.h>

static int pick(int n)
{
    if (n < 0) {
        printf("negative %d\n", __COUNTER__);
        n = __COUNTER__;
        return -__COUNTER__;
    }
    return n + __COUNTER__;
}

int main(void)
{
    int sum = pick(2);

    if (sum > 1000) {
        sum = __COUNTER__ * 2;
        printf("large %d\n", __COUNTER__);
        goto end;
    }
    for (int i = 0; i < __COUNTER__ + 1; i++)
        sum++;
    if (__COUNTER__ % 2)
        puts("odd");
    else
        puts("even");
    printf("%d %d\n", sum, __COUNTER__);
end:
    if (sum < 0) {
        sum = __COUNTER__;
        return 1;
    }
    return 0;
}
