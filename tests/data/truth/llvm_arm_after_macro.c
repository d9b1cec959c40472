#include <stdio.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static int f(int m)
{
    return m > 3 ?
        MIN(m, 7) :
        m - 3;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += f(i);
    printf("%d\n", s);
    return 0;
}
