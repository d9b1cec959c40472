// expects: died by a signal
// Kills its process group, itself included.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    kill(0, SIGKILL);
    return 0;
}
