#include <sys/wait.h>
#include <unistd.h>
int v;
void f(int n) {
    for (int i = 0; i < n; i++)
        goto out;
out:
    v++;
}
int main(int argc, char **argv) {
    (void)argv;
    f(0);
    f(1);
    f(1);
    /* fork() */
    if (argc > 1) {
        if (fork() == 0)
            _exit(0);
        wait(0);
    }
    if (argc > 2) v = fork();
    else v = 0;
    return 0;
}
