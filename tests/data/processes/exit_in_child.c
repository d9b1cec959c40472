#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;                                       // ran 12
    return sum;                                         // ran 2
}
int main(void)
{
    int sum = work(5);                                  // ran 1
    fflush(stdout);
    if (fork() == 0) {
        sum += work(7);                                 // ran 1
        _exit(sum > 0);                                 // ran 1
    }
    wait(0);                                            // ran 1
    return 0;
}
