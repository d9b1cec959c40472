/* Control: forks children and waits for them; several processes write one profile. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(int n)
{
    int sum = 0;
    for (int i = 0; i <= n; i++)
        sum += i;
    if (sum > 100) {
        puts("too large");
        sum = 100;
        return -1;
    }
    return sum;
}

int main(void)
{
    int status, total = 0;

    for (int n = 1; n <= 3; n++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid < 0) {
            perror("fork");
            total = -1;
            goto out;
        }
        if (pid == 0)
            exit(child(n));
        if (waitpid(pid, &status, 0) != pid) {
            puts("lost a child");
            return 2;
        }
        if (WIFEXITED(status))
            total += WEXITSTATUS(status);
        else {
            puts("child was killed");
            total--;
        }
    }
out:
    printf("total %d\n", total);
    return 0;
}
