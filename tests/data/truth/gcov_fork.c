#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int add(int from, int to)
{
    int sum = 0;
    while (from < to)
        sum += from++;
    return sum;
}
static void empty_case(int i)
{
    switch (i) {
    case 0:
        add(0, 1);
        break;
    default:
        add(0, 2);
        break;
    case 77: ;
    }
}
int main(void)
{
    int x = add(0, 9);
    pid_t child = fork();
    if (child == 0) {
        x += add(0, 5);
        _exit(x > 3);
    }
    int status;
    waitpid(child, &status, 0);
    empty_case(0);
    empty_case(1);
    printf("%d %d\n", x, WEXITSTATUS(status));
    return 0;
}
