/* Control: branches on bits of the address of a local, which move with the stack and the frame. */
#include <stdint.h>
#include <stdio.h>

static int half_of_line(int n)
{
    char buffer[40];
    uintptr_t a = (uintptr_t)buffer;

    if (n > 20) {
        int more[8] = { n };
        printf("deep %d\n", more[0]);
        n = 20;
        return -1;
    }
    buffer[0] = (char)n;
    if (a & 64)
        return 1 + buffer[0] - n;
    else
        n = 0;
    for (unsigned i = 0; i < (a >> 4 & 7); i++)
        n++;
    return n ? 2 : 0;
}

int main(void)
{
    int seen[3] = { 0 };
    for (int i = 0; i < 10; i++) {
        int h = half_of_line(i);
        if (h < 0 || h > 2) {
            puts("no such half");
            goto fail;
        }
        seen[h]++;
    }
    printf("%d %d %d\n", seen[0], seen[1], seen[2]);
    return 0;
fail:
    seen[0] = -1;
    puts("failed");
    return 1;
}
