#include <stdio.h>

static int same(int x) { return x; }

static int sum(int n)
{
    return same(n +
                1); }

static int pick(int a, int b)
{
    return a ? b + 1 :
               b; }

static int left(int n)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        if (i == 2)
            break;
        if (i == 1)
            continue;
        s++; } return s;
}

int main(void) { int k = 3; int add(int x) { return x + k; }
    int s = 0;

    for (int i = 0; i < 4; i++)
        s += add(i) + sum(i) + pick(i, 0);
    printf("%d %d\n", s, left(5) + left(1));
    return 0;
}
