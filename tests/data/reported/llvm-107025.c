#include <stdio.h>
static int pick(int a, int b, int c)
{
    return a ? 1 : b ? 2 : c ? 3 : 4;
}
static int both(int a, int b, int c)
{
    return a && b ? 1 : b || c ? (a && c ? 2 : 3) : 4;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += pick(i & 1, i & 2, i & 4) + both(i & 1, i & 2, i & 4);
    printf("%d\n", sum);
    return 0;
}
