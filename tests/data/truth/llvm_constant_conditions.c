#include <stdio.h>

enum { DEBUG = 0, LEVEL = 2 };

static int n;

static int f(int x)
{
    if (DEBUG)
        printf("debug %d\n", x);
    if (1)
        n++;
    else
        n--;
    while (0)
        n = 99;
    switch (LEVEL) {
    case 1:
        n = 50;
    case 2:
        n += 2;
    case 3:
        n += 3;
        break;
    case 4:
        n = 60;
    }
    for (; DEBUG; )
        n = 70;
    return 1 ? x : n;
}

int main(void)
{
    int s = f(1) + f(2) + f(3);
    printf("%d %d\n", s, n);
    return 0;
}
