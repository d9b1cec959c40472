#include <stdio.h>
static int f(int a, int b, int c, int d, int e)
{
    return (a || b ? c && d : e);
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += f(i & 1, i & 2, i & 4, i & 8, i & 16);
    printf("%d\n", sum);
    return 0;
}
