#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int done;
static void spin(int ready)
{
    for (int i = 0; i < 9; i++)
        done++;                                         // ran 9
    if (write(ready, "x", 1) != 1)
        _exit(1);                                       // ran 0
    for (;;)
        pause();                                        // ran 1
}
int main(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();                               // ran 1
    if (child == 0)
        spin(ends[1]);                                  // ran 1
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    usleep(20000);                                      // ran 1
    kill(child, SIGKILL);                               // ran 1
    waitpid(child, 0, 0);                               // ran 1
    return 0;
}
