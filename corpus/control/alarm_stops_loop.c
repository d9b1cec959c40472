/* Control: counts until a timer signal arrives, so the number of iterations differs in each run. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t stop;
static volatile sig_atomic_t strange;

static void on_alarm(int sig)
{
    if (sig != SIGALRM) {
        strange = sig;
        stop = 2;
        return;
    }
    stop = 1;
}

int main(void)
{
    struct itimerval timer = { { 0, 0 }, { 0, 20000 } };
    unsigned long turns = 0, thirds = 0;

    if (signal(SIGALRM, on_alarm) == SIG_ERR) {
        perror("signal");
        return 1;
    }
    if (setitimer(ITIMER_REAL, &timer, NULL) < 0) {
        perror("setitimer");
        goto fail;
    }
    while (!stop) {
        turns++;
        if (turns % 3 == 0)
            thirds++;
    }
    printf("%lu turns, %lu thirds\n", turns, thirds);
    if (strange) {
        printf("signal %d\n", (int)strange);
        strange = 0;
        return 2;
    }
    return 0;
fail:
    turns = 0;
    puts("failed");
    return 3;
}
