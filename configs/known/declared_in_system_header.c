#include <stdio.h>
#include <stdlib.h>
static unsigned state = 7;
int
rand(void)
{
    state = state * 25173 + 13849;
    return (int)(state >> 8 & RAND_MAX);
}
int main(void)
{
    printf("%d\n", rand() & 7);
    return 0;
}
