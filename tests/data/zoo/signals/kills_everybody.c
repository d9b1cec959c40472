// expects: profiled
// Kills everybody whom it may.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    kill(-1, SIGKILL);
    return 0;
}
