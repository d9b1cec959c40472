#include <stdio.h>

static int next(int n)
{
    return n + 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        int value =
            i < 2 ? next(i) :
            0;
        sum += value;
    }
    printf("%d\n", sum);
    return 0;
}
