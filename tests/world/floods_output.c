/* Prints until it is stopped. */
#include <stdio.h>

int main(void)
{
    for (;;)
        puts("there is no end to this");
}
