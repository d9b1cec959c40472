#include <stdio.h>

static int next(int n)
{
    return n + 1;
}

static int sum(int a, int b)
{
    return a + b;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int all = sum(
            i,
            i > 1 ? next(i) : 0);
        printf("%d\n", all);
    }
    return 0;
}
