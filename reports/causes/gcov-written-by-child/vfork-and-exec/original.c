#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(char *command)
{
    int status;
    char *arguments[] = { command, NULL };
    pid_t child = vfork();

    if (child == 0) {
        execvp(command, arguments);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static int square(int value)
{
    return value * value;
}

int main(void)
{
    int sum = 0;

    sum += run("true");
    for (int i = 0; i < 5; i++)
        sum += square(i);
    printf("%d\n", sum);
    return 0;
}
