#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void *work(void *at)
{
    for (int i = 0; i < 1000; i++)
        ++*(int *)at;                                   // ran 2000
    return 0;                                           // ran 2
}
static void run(void)
{
    pthread_t thread;
    int n = 0;
    pthread_create(&thread, 0, work, &n);               // ran 2
    pthread_join(thread, 0);                            // ran 2
}
int main(void)
{
    pid_t child = fork();                               // ran 1
    run();                                              // ran 2
    if (child == 0)
        _exit(0);                                       // ran 1
    wait(0);                                            // ran 1
    return 0;
}
