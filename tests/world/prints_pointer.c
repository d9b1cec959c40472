/* Prints where its stack lies, which is somewhere else in each run. */
#include <stdio.h>

int main(void)
{
    int on_the_stack = 0;
    printf("%p\n", (void *)&on_the_stack);
    if (on_the_stack)
        puts("never printed");
    return 0;
}
