/* Control: ends by _exit(), which skips the writing of the profile in some runtimes and not in others. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void cleanup(void)
{
    puts("cleanup must not run");
    fflush(stdout);
}

static int work(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += i % 3;
    if (r > 1000) {
        puts("large");
        r = 1000;
        return -1;
    }
    return r;
}

int main(void)
{
    int r;
    if (atexit(cleanup)) {
        puts("atexit failed");
        return 1;
    }
    r = work(30);
    if (r < 0)
        goto fail;
    printf("r %d\n", r);
    fflush(stdout);
    _exit(3);
    puts("after _exit");
    r++;
fail:
    puts("failed");
    return 2;
}
