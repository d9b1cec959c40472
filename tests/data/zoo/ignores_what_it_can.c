// expects: timed out
// Ignores every signal that can be ignored, for 20 seconds.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (int seconds = 0; seconds < 20; seconds++)
        sleep(1);
    return 0;
}
