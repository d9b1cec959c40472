#include <stdio.h>

static int mix(int n)
{
    return n > 3
        ? n
        : ({ if (n == 2) return -1; 0; });
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += mix(i);
    printf("%d\n", sum);
    return 0;
}
