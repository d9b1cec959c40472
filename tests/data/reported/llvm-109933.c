#include <stdio.h>
#define TRUE 1
static int f(int a, int b, int c, int d, int e, int g, int h)
{
    if ((a && b) || (c && d) || (e && g) || h)
        return 1;
    return 0;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += f(i & 1, i & 2, i & 4, i & 8, i & 16, i & 32, i & 64);
    printf("%d\n", sum);
    return 0;
}
