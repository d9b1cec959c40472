#include <stdio.h>
static int f(int x)
{
    int n = 0;
    goto in;
    while (!1) {
        n += 10;
in:
        n += x;
    }
    return n;
}
int main(void)
{
    printf("%d\n", f(1) + f(2));
    return 0;
}
