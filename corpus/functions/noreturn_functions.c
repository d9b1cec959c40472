/* Exercises noreturn functions: one that is reached and one that is not, with statements after the calls. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn))
static void finish(int status, int total)
{
    printf("finished with %d\n", total);
    if (total < 0) {
        puts("negative total");
        status = 5;
    }
    exit(status);
}

_Noreturn static void die(const char *why)
{
    fprintf(stderr, "fatal: %s\n", why);
    fflush(stderr);
    abort();
}

static int checked_half(int n)
{
    if (n % 2 != 0)
        die("odd number");
    if (n < 0) {
        puts("negative number");
        die("negative number");
    }
    return n / 2;
}

static int worker(int n)
{
    int total = 0;
    for (;;) {
        n = checked_half(n);
        total += n;
        if (n == 1)
            finish(0, total);
        if (total > 100000) {
            finish(1, -1);
            total = 0;
        }
    }
    puts("after the endless loop");
    return total;
}

int main(void)
{
    int r = 64;
    printf("start %d\n", r);
    r = worker(r);
    printf("never printed %d\n", r);
    if (r)
        die("still here");
    else
        r = 1;
    return r;
}
