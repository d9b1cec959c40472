// expects: profiled
// A daemon in a session of its own, for half a minute.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(0);
            close(1);
            close(2);
            sleep(30);
        }
        _exit(0);
    }
    return 0;
}
