#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int add(int from, int to)
{
    int sum = 0;
    while (from < to)
        sum += from++;
    return sum;
}
static int unreached(int x)
{
    if (x > 7)
        return 1;
    goto start;
fail:
    return 2;
start:
    if (x > 100)
        goto fail;
    return 0;
}
int main(void)
{
    int x = add(0, 9);
    pid_t child = fork();
    if (child == 0) {
        x += add(0, 5);
        exit(x > 3);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d %d\n", x, WEXITSTATUS(status));
    for (int i = 0; i < 10; i++)
        x += unreached(i);
    printf("%d\n", x);
    return 0;
}
