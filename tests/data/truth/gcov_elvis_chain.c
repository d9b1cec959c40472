#include <stdio.h>

static int pick(int a, int b, int c)
{
    int x = a ?: b
        ?: c;
    return x;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += pick(i & 4, i & 2, i & 1);
    printf("%d\n", sum);
    return 0;
}
