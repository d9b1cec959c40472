/* Prints an address of its stack, which differs between runs. */
#include <stdio.h>

int main(void)
{
    int on_the_stack = 0;
    printf("%p\n", (void *)&on_the_stack);
    if (on_the_stack)
        puts("never printed");
    return 0;
}
