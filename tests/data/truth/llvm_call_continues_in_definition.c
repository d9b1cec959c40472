#include <stdio.h>

static int sum;

static void add(int first, int second)
{
    sum += first * second;
}

#define ADD(value) \
    add(value > 2 ? 10 : \
        20, value)

int main(void)
{
    ADD(1);
    for (int i = 1; i < 5; i++)
        ADD(i);
    printf("%d\n", sum);
    return 0;
}
