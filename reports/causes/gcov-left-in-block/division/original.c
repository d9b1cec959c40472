#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf env;

static void handler(int number)
{
    siglongjmp(env, number);
}

int main(void)
{
    volatile double x = 1, zero = 0;
    signal(SIGFPE, handler);
    feenableexcept(FE_DIVBYZERO);
    if (sigsetjmp(env, 1) == 0)
        x /= zero;
    printf("%g\n", x);
    return 0;
}
