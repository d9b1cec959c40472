// expects: timed out
// Never ends by itself, for 20 seconds.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    alarm(20);
    for (volatile unsigned long turns = 0;; turns++)
        ;
}
