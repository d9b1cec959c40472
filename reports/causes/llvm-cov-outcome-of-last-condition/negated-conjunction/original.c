#include <stdio.h>

static int stopped;

static int may_start(int locked, int busy, int forced)
{
    int starts = 0;
    if (!(locked && busy) || forced)
        starts = 1;
    else
        stopped++;
    return starts;
}

int main(void)
{
    int sum = may_start(0, 1, 0);
    sum += may_start(1, 0, 0);
    sum += may_start(1, 1, 1);
    printf("%d %d\n", sum, stopped);
    return 0;
}
