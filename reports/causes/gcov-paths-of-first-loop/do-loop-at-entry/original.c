#include <stdio.h>

static int queue[4] = { 7, 0, 5, 0 };

static int next(int at, int tries)
{
    do {
        if (queue[at])
            return queue[at];
        at++;
    } while (tries-- > 0);
    return -1;
}

int main(void)
{
    printf("%d\n", next(0, 1));
    printf("%d\n", next(2, 3));
    return 0;
}
