#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(const char *program)
{
    execlp(program, program, (char *) 0);
    int code = 120;
    return code + 7;
}

int main(void)
{
    if (fork() == 0)
        return start("no-such-program") == 0 || start("true") == 0;
    wait(NULL);
    return 0;
}
