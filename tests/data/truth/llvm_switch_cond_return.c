#include <stdio.h>

static int n;

static int f(int x)
{
    switch (({ if (x > 3) return 1; x; })) {
    case 1:
        n++;
        break;
    case 2:
        n += 3;
    }
    n += 20;
    return 0;
}

static int g(int x)
{
    while (x < 4)
        switch (({ if (x == 2) x = 9; x; })) {
        case 0:
            x++;
        default:
            x += 2;
        }
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += f(i);
    printf("%d %d %d\n", s, n, g(3) + g(0));
    return 0;
}
