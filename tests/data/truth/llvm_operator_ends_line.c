#include <stdio.h>

static int same(int v)
{
    return v;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += (same(i)
                && same(i - 1)) +
            same(4);
        sum += (same(i) ?
                same(i - 1) : 4) -
            same(2);
    }
    printf("%d\n", sum);
    return 0;
}
