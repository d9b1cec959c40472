// expects: profiled
// Takes locks and never gives them back.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/file.h>

int main(void)
{
    int own = open("lock", O_CREAT | O_RDWR, 0600);
    int source = open("../p.c", O_RDONLY);
    struct flock whole = {.l_type = F_WRLCK};
    fcntl(own, F_SETLK, &whole);
    flock(source, LOCK_EX | LOCK_NB);
    if (fork() == 0) {
        sleep(30);
        _exit(0);
    }
    return 0;
}
