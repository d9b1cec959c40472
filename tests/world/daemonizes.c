/* Leaves a daemon behind, in a session of its own, that would write a file after a second. All
   of the daemon is one statement with code that the parent runs, so that no variant edits it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argv;
    /* Three levels up is what a run keeps: above program, worker and scratch folder. */
    int kept = open("../../..", O_RDONLY | O_DIRECTORY);
    pid_t child = fork();
    int flags = O_WRONLY | (child ? 0 : (setsid(), fork() ? (_exit(0), 0) : (sleep(1), O_CREAT)));
    if (child == 0) { openat(kept, "a_daemon_survived", flags, 0600); _exit(0); } else flags = 0;
    if (argc > 5)
        puts("never printed");
    waitpid(child, 0, 0);
    return flags;
}
