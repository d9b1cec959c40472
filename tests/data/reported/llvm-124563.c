#include <stdio.h>
static int f(int a, int b, int c)
{
    return !(a && b) && c;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += f(i & 1, i & 2, i & 4);
    printf("%d\n", sum);
    return 0;
}
