/* Exercises a signal handler entered by raise(), and another that is installed but never entered. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t hits;
static volatile sig_atomic_t interrupted;

static void on_user(int sig)
{
    hits++;
    if (sig != SIGUSR1) {
        hits = 100;
        interrupted = 1;
    }
}

static void on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
    hits = 0;
}

static int install(int sig, void (*f)(int))
{
    struct sigaction sa = { 0 };
    sa.sa_handler = f;
    sigemptyset(&sa.sa_mask);
    if (sigaction(sig, &sa, NULL) < 0) {
        perror("sigaction");
        return -1;
    }
    return 0;
}

int main(void)
{
    if (install(SIGUSR1, on_user) < 0 ||
        install(SIGINT, on_interrupt) < 0) {
        puts("cannot install");
        return 1;
    }
    for (int i = 0; i < 5; i++) {
        if (i % 2 == 0)
            raise(SIGUSR1);
        if (interrupted) {
            puts("interrupted");
            interrupted = 0;
            break;
        }
    }
    printf("hits %d\n", (int)hits);
    if (hits > 3) {
        puts("too many");
        return 2;
    }
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("hits %d\n", (int)hits);
    return 0;
}
