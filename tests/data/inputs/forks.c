/* A function that starts a process that sleeps and outlives the call. */
#include <unistd.h>

int forks(int x)
{
    if (x == 7 && fork() == 0) {
        execl("/bin/sleep", "sleep", "3217", (char *)0);
        _exit(1);
    }
    if (x > 1000)
        return 1;
    return 0;
}
