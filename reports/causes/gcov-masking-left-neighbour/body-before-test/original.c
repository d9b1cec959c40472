#include <stdio.h>

static int retries;

/* The first of the values above the limit, if there are any. */
static int first_above(const int *values, int count, int limit)
{
    int at = 0;
    while (at < count && values[at] > limit) {
        retries++;
        printf("%d\n", values[at]);
        break;
    }
    return retries;
}

int main(void)
{
    const int values[] = { 3, 4 };
    return first_above(values, 2, 9);
}
