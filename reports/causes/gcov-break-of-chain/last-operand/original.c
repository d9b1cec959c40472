#include <stdio.h>

static int last;

static int sum(int limit)
{
    int total = 0;
    while (total < 100) {
        if (total > limit ||
            last > 5) break;
        total += 4;
        last++;
    }
    return total;
}

int main(void)
{
    printf("%d\n", sum(9) + sum(30));
    return 0;
}
