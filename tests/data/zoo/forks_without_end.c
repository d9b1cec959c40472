// expects: profiled
// Forks as often as it can, at most 200 times; each child waits a second. Aborts if nothing stops it.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int children = 0;
    while (children < 200) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            sleep(1);
            _exit(0);
        }
        children++;
    }
    if (children == 200)
        abort();
    return 0;
}
