#include <stdio.h>

static int n;

static int f(int x) {
    return x + 1;
    {
        n++;
    lab:
        n += 2;
    }
    goto lab;
}

static int g(int x) {
    goto mid;
    switch (x) {
        n++;
    case 1:
        n += 100;
mid:
        n += 3;
    }
    return n;
}

static int h(int x) {
    if (x > 2)
        return 1;
    else
        return 2;
    n = 50;
}

int main(void)
{
    int s = f(1) + g(1) + h(3) + h(2) + g(5);
    printf("%d %d\n", s, n);
    return 0;
}
