#include <stdio.h>

#define STEP(n) total += n;

static int total;

static void add(int wanted)
{
    if (wanted)
        STEP(2)
    printf("%d\n", total);
}

int main(void)
{
    add(0);
    add(0);
    return 0;
}
