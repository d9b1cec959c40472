/* Prints until it is killed. */
#include <stdio.h>

int main(void)
{
    for (;;)
        puts("there is no end to this");
}
