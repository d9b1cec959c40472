#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int f(int n)
{
    int i = 0;
    {
        goto end;
    end:
        i++;
    }
    switch (n) {
    case 1:
        i++;
    }
    return i;
}
int main(void)
{
    pid_t pid = fork();
    if (pid == 0)
        return 0;
    waitpid(pid, NULL, 0);
    return f(5) + f(1) != 3;
}
