#include <stdio.h>

static int n;

static int f(int k)
{
    switch (k) {
        n += 1000;
    case 0:
        if (n % 2) {
            n++;
    case 1:
            n += 2;
        } else {
    default:
            n += 3;
        }
        n += 4;
    }
    return n;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += f(i % 3);
    printf("%d %d\n", s, n);
    return 0;
}
