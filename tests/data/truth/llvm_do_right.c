#include <stdio.h>

static int n;

static int f(int x)
{
    do {
        if (x > 6)
            return -1;
        x += 2;
    } while (x % 3);
    n++;
    do
        switch (x) {
        case 3:
            x = 5;
            break;
        default:
            x++;
        }
    while (x < 5);
    n += 10;
    do x--; while (x > 3);
    do {
        for (int i = 0; i < x; i++)
            n += 100;
        while (x > 2) { x--; }
    } while (x > 2);
    n += 1000;
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += f(i);
    printf("%d %d\n", s, n);
    return 0;
}
