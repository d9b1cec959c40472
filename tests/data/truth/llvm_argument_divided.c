#include <stdio.h>
#define SELF(x) x

static int divided(int a, int b)
{
    return a && b + SELF(a || b) + 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += divided(i % 3, i & 1);
    printf("%d\n", sum);
    return 0;
}
