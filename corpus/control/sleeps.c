/* Control: sleeps for 50 ms, measures the time, and has dead branches around it. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <time.h>

static int pause_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000L };
    if (ms < 0) {
        puts("negative pause");
        ms = 0;
        return -1;
    }
    while (nanosleep(&t, &t) < 0) {
        if (errno != EINTR) {
            perror("nanosleep");
            return -2;
        }
        puts("interrupted");
    }
    return 0;
}

int main(void)
{
    struct timespec a, b;
    long ms;

    clock_gettime(CLOCK_MONOTONIC, &a);
    if (pause_ms(50) < 0) {
        puts("could not sleep");
        goto fail;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    ms = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
    printf("slept %ld ms\n", ms);
    if (ms < 40) {
        puts("woke up early");
        ms = 40;
        return 1;
    }
    return 0;
fail:
    puts("failed");
    return 2;
}
