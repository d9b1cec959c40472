#include <stdio.h>
static int opened = 1;
__attribute__((destructor))
static void end(void)
{
    opened--;
    printf("closed, %d left\n", opened);
}
int main(void)
{
    printf("open %d\n", opened);
    return 0;
}
