#include <stdio.h>
#define N 64
#define M (-N-1)
#define E N
static int f(int x)
{
    if (x > 0)
        return -N;
    if (x == 0)
        return -E;
    return M + -N;
}
int main(void)
{
    int a[3] = { -N, N, -N };
    int s = a[0] + a[1];
    for (int i = -3; i < 4; i++)
        s += f(i) - N;
    printf("%d\n", s);
    return 0;
}
