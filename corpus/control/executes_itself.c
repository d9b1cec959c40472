/* Control: replaces itself with a second copy by calling exec; several process images share one profile. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fib(int n)
{
    if (n > 30) {
        puts("too slow");
        n = 30;
        return -1;
    }
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 0;

    printf("depth %d, %d\n", depth, fib(5 + depth));
    fflush(stdout);
    if (depth < 2) {
        char next[16];
        snprintf(next, sizeof next, "%d", depth + 1);
        execl("/proc/self/exe", argv[0], next, (char *)NULL);
        perror("execl");
        goto fail;
    }
    if (depth > 2) {
        puts("too deep");
        depth = 2;
        return 2;
    }
    return 0;
fail:
    puts("failed");
    return 1;
}
