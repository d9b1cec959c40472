#include <stdio.h>

static int low, high;

static void sort(int x)
{
    if (x < 5) {
        low++;
    } else {
        high++;
        return;
    }
    return;
    low = 1000;
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        sort(i);
    printf("%d %d\n", low, high);
    return 0;
}
