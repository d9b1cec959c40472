#include <stdio.h>

static int level = 2;

static int price(int member, int count)
{
    int base = 10 * count;
    int reduced = (member ? count > 1 && count < 4 : count == level) ? base - 5 : base;
    if (reduced > 30)
        level++;
    return reduced;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += price(i & 1, i / 2);
    printf("%d\n", sum);
    return 0;
}
