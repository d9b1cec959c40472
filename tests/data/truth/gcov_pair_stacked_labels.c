#include <stdio.h>
static int f(int x)
{
    int n = 0;
    switch (x) {
    case 1:
    case 2:
    case 3:
        n = 10;
    }
    if (n > 10)
        n--;
retry:
    for (int i = 0; i < 2; i++)
        n++;
    if (n < 9)
        goto retry;
    return n;
}
int main(void)
{
    printf("%d\n", f(0) + f(2) + f(3) + f(3));
    return 0;
}
