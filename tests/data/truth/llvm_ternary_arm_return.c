#include <stdio.h>

static int sum;

static int limit(int x)
{
    int k = x > 3 ? ({ return 4; 0; }) : x + 1;
    sum += k;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += limit(i);
    printf("%d %d\n", r, sum);
    return 0;
}
