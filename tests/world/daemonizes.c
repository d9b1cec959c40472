/* Starts a daemon in a new session that would write a file after a second. The code of the daemon is in
   statements that the parent also runs, so no variant edits it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argv;
    /* Three levels up, above the program's, the worker's and the scratch folder, files remain after a run. */
    int kept = open("../../..", O_RDONLY | O_DIRECTORY);
    pid_t child = fork();
    int flags = O_WRONLY | (child ? 0 : (setsid(), fork() ? (_exit(0), 0) : (sleep(1), O_CREAT)));
    if (child == 0) { openat(kept, "a_daemon_survived", flags, 0600); _exit(0); } else flags = 0;
    if (argc > 5)
        puts("never printed");
    waitpid(child, 0, 0);
    return flags;
}
