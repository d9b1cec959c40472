// gcc replaces calls of fork by __gcov_fork, but not one through a pointer: the child inherits the counts, which is documented.
#include <sys/wait.h>
#include <unistd.h>

static pid_t (*const start)(void) = fork;
static int n;

static void before(void)
{
    n++;
}

int main(void)
{
    int status;
    before();
    pid_t pid = start();
    if (pid == 0)
        return 0;
    waitpid(pid, &status, 0);
    return 0;
}
