#include <pthread.h>
static long counted[4];
static pthread_barrier_t start;
static void *work(void *at)
{
    long *mine = at;
    pthread_barrier_wait(&start);                       // ran 4
    for (int i = 0; i < 1000000; i++)
        *mine += i & 1;                                 // ran 4000000
    return at;                                          // ran 4
}
int main(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&start, 0, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, &counted[i]); // ran 4
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);                    // ran 4
    return counted[3] == 500000 ? 0 : 1;                // ran 1
}
