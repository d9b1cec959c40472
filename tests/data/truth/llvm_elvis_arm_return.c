#include <stdio.h>

static int sum;

static int name(int x)
{
    int k = (x / 2) ?: ({ if (x) return 3; 40; });
    sum += k;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += name(i % 3);
    printf("%d %d\n", r, sum);
    return 0;
}
