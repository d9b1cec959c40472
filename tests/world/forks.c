/* Forks a child and waits for it; both write their counts, one after the other. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        return 3;
    if (child < 0)
        puts("no child");
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) != 3;
}
