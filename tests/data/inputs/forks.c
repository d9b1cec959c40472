/* A function that leaves a process behind that sleeps for a while. */
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
