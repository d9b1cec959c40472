#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char *command)
{
    char *arguments[] = { command, NULL };
    pid_t child = vfork();

    if (child == 0) {
        execv(command, arguments);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    run("/bin/true");
    puts("done");
    return 0;
}
