#include <stdio.h>

static int distance(int number)
{
    return number > 2
           ? number
           : -number;
}

static int clipped(int number)
{
    if (number > 2 &&
        number < 4)
        return number;
    return
        2;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += distance(i) + clipped(i);
    printf("%d\n", sum);
    return 0;
}
