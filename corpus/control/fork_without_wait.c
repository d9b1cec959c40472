/* Control: forks and does not wait; the profile depends on which process ends first. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int work(int n)
{
    volatile int x = n;
    for (int i = 0; i < 2000 * (n + 1); i++)
        x ^= i;
    if (x == -1)
    {
        puts("minus one");
        x = 0;
        return 1;
    }
    return x & 0xff;
}

int main(void)
{
    int alive = 0;

    for (int n = 0; n < 3; n++)
    {
        pid_t pid = fork();
        if (pid < 0)
        {
            perror("fork");
            goto failed;
        }
        if (pid == 0)
        {
            printf("child %d: %d\n", n, work(n));
            return 0;
        }
        alive++;
    }
    printf("parent of %d\n", alive);
    return 0;

failed:
    puts("failed");
    alive = 0;
    return 1;
}
