#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)

static int calls;

static int send(int open, int ready, int forced, int size)
{
    calls++;
    if (likely(open && (ready || forced)) && size > 0)
        return size;
    return -1;
}

int main(void)
{
    int sum = 0;

    sum += send(0, 1, 0, 8);
    sum += send(1, 0, 0, 8);
    sum += send(1, 1, 0, 0);
    sum += send(1, 0, 1, 8);
    printf("%d calls, %d\n", calls, sum);
    return 0;
}
