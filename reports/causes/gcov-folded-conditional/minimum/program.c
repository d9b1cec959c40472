#include <stdio.h>

static int smaller(int a, int b)
{
    return a < b
        ? a
        : b;
}

int main(void)
{
    printf("%d\n", smaller(1, 2) + smaller(3, 4));
    return 0;
}
