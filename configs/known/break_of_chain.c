#include <stdio.h>

static int sum(int limit, int stop)
{
    int total = 0;
    for (int i = 0; i < 9; i++) {
        if (total > limit || i == stop)
            break;
        total += i;
    }
    return total;
}

int main(void)
{
    printf("%d\n", sum(9, 7) + sum(20, 3));
    return 0;
}
