#include <sys/wait.h>
#include <unistd.h>

extern void __gcov_dump(void) __attribute__((weak));

static int work(int n)
{
    return n > 1
               ? n
               : 1;
}

int main(void)
{
    if (fork() == 0) {
        int r = work(1);
        if (__gcov_dump)
            __gcov_dump();
        _exit(r > 100);
    }
    int status;
    wait(&status);
    return work(2) + work(3) + work(0) == 0;
}
