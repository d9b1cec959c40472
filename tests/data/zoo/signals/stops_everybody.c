// expects: profiled
// Stops and ends everybody whom it may, over and over.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>

int main(void)
{
    for (int number = 1; number < 32; number++)
        if (number != SIGCHLD && number != SIGCONT)
            kill(-1, number);
    return 0;
}
