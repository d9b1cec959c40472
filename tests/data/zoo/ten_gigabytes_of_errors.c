// expects: too much output
// The same on standard error.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static char block[1 << 16];

int main(void)
{
    for (int written = 0; written < 1 << 10; written++)
        if (write(2, block, sizeof block) < 0)
            return 1;
    return 0;
}
