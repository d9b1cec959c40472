#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void on_usr(int s)
{
    caught++;
    siglongjmp(back, s);
}

int main(void)
{
    signal(SIGUSR1, on_usr);
    if (sigsetjmp(back, 1) != 0) {
        printf("caught %d\n", (int)caught);
        return 0;
    }
    printf("raising\n");
    raise(SIGUSR1);
    return 1;
}
