#include <stdio.h>
static int tries;
static int f(int x)
{
    int s = 0;
    for (int i = 0; i < x; i++) for (int j = 0; j < i; j++) s++;
    if (x > 2)
        goto again;
again: s += x;
    if (++tries % 3)
        goto again;
    return s;
}
int main(void)
{
    printf("%d\n", f(3) + f(1));
    return 0;
}
