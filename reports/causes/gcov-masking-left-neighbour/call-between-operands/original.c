#include <stdio.h>

static int limit = 3;

static int is_long(int length)
{
    return length > limit;
}

static int accept(int urgent, int length, int retries)
{
    int accepted = 0;
    if (urgent || is_long(length) || retries > 1)
        accepted = 1;
    else
        limit++;
    return accepted;
}

int main(void)
{
    int sum = 0;
    sum += accept(0, 1, 2);
    sum += accept(0, 5, 0);
    printf("%d\n", sum);
    return 0;
}
