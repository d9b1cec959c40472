#include <stdio.h>

#define TWICE(c) ((c) && (c))

static int both(int a, int b)
{
    return TWICE(a || b);
}

int main(void)
{
    printf("%d\n", both(0, 1) + both(1, 0) + both(0, 0));
    return 0;
}
