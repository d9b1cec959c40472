#include <stdio.h>

int main(void)
{
    int n = 0, x = 7;
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            continue;
        n++;
    }
    n += 100;
    while (x-- > 0) {
        if (x % 3)
            continue;
        n += 10;
    }
    n += 1000;
    for (;;) {
        if (++x > 8)
            break;
        if (x & 1)
            continue;
        n++;
    }
    {
        if (n < 0)
            return 2;
    }
    n += 10000;
    printf("%d\n", n);
    return 0;
}
