#include <stdio.h>

static int put(int a, int b)
{
    return a + b;
}

static int all(int n)
{
    int sum = 0;
#define SMALL n, 1
#define LARGE n, 1000
    if (n < 100)
        sum += put(SMALL);
    else
        sum += put(LARGE);
    return sum;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += all(i);
    printf("%d\n", sum);
    return 0;
}
