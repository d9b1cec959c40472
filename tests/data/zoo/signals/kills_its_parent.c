// expects: profiled
// Kills its parent and its group but itself.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    kill(getppid(), SIGKILL);
    kill(getppid(), SIGSTOP);
    return 0;
}
