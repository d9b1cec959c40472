#include <stdio.h>
#include <stdlib.h>

#define STEP(action)              \
    if (total > 50) exit(1);      \
    action total += 2;            \
    total++

static int total, state;

int main(void)
{
    STEP(state++;);
    STEP();
    STEP();
    printf("%d %d\n", total, state);
    return 0;
}
