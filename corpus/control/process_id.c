/* Control: prints getpid() and uses it for a loop count. */
#include <stdio.h>
#include <unistd.h>

static int digits(long n)
{
    int d = 0;
    if (n < 0) {
        puts("negative process id");
        n = -n;
        d = 1;
    }
    while (n > 0) {
        n /= 10;
        d++;
    }
    return d;
}

int main(void)
{
    long pid = (long)getpid();
    long parent = (long)getppid();
    int turns = 0;

    if (pid <= 0 || parent < 0)
        goto strange;
    printf("process %ld of %ld, %d digits\n", pid, parent, digits(pid));
    for (long i = 0; i < pid % 16; i++)
        turns++;
    if (turns > 16) {
        puts("too many turns");
        turns = 16;
        return 1;
    }
    printf("%d turns\n", turns);
    return 0;
strange:
    fprintf(stderr, "strange process id\n");
    pid = 0;
    return 2;
}
