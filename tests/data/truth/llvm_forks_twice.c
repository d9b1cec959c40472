#include <unistd.h>
#include <sys/wait.h>
static int n;
int main(void)
{
    n++;
    fork();
    fork();
    while (wait(NULL) > 0)
        n++;
    return n > 9;
}
