/* Never ends, and with two threads reaches its limit of CPU time before its deadline. */
#include <pthread.h>

static void *spin(void *volatile unused)
{
    for (;;)
        unused = &unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    spin(0);
    return 0;
}
