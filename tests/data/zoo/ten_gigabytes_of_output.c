// expects: too much output
// Would write 10 GB; gives up at 64 MB, far above any cap.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static char block[1 << 16];

int main(void)
{
    for (int written = 0; written < 1 << 10; written++)
        if (write(1, block, sizeof block) < 0)
            return 1;
    return 0;
}
