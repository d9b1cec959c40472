#include <stdio.h>

static int sum;

static int step(int x)
{
    {
        if (x > 2)
            return 1;
        sum += x;
    }
    sum += 10;
    sum += 20;
    return 0;
}

int main(void)
{
    int stopped = 0;
    for (int i = 0; i < 5; i++)
        stopped += step(i);
    printf("%d %d\n", sum, stopped);
    return 0;
}
