// expects: timed out
// Stops until somebody lets it go on.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    alarm(20);
    raise(SIGSTOP);
    return 0;
}
