#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void count(int n)
{
    while (n > 0) {
        n--;                                            // ran 14
    }
    if (n == 0)
        abort();                                        // ran 1
}
int main(void)
{
    int status = 0;
    if (fork() == 0)
        count(14);                                      // ran 1
    wait(&status);                                      // ran 1
    return WIFSIGNALED(status) ? 0 : 1;                 // ran 1
}
