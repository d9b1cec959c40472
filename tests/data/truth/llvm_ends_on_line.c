#include <stdio.h>

static int end_after_value(int x)
{
    if (x > 2)
        return 1;
    return x
    ; } static int evaluated(int x)
{
    static int limit
        = 5 > 3 ? 2 : 7; static
    int *chosen = &limit;
    return *chosen += x;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += end_after_value(i) + evaluated(i);
    printf("%d\n", sum);
    return 0;
}
