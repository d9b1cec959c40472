#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *) 0);
        _exit(1);
    }
    waitpid(child, NULL, 0);
    puts("done");
    return 0;
}
