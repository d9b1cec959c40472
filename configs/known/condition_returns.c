#include <stdio.h>
static int count(int n)
{
    int k = 0;
    while (({ if (n < 0) return -1; n > 2; })) {
        n -= 2;
        k++;
    }
    k += 10;
    printf("%d\n", k);
    return k;
}
int main(void)
{
    int s = 0;
    for (int i = -1; i < 6; i++)
        s += count(i);
    printf("%d\n", s);
    return 0;
}
