// expects: profiled
// Asks for 10 GB and touches at most half of one. Aborts if it gets them.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int blocks = 0;
    while (blocks < 160) {
        char *block = malloc(64 << 20);
        if (!block)
            break;
        if (blocks < 8)
            for (int at = 0; at < 64 << 20; at += 4096)
                block[at] = 1;
        blocks++;
    }
    if (blocks == 160)
        abort();
    return 0;
}
