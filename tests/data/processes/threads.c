#include <pthread.h>
static long counted[2];
static pthread_barrier_t together;
static void *work(void *at)
{
    long *mine = at;
    pthread_barrier_wait(&together);                    // ran 2
    for (int i = 0; i < 4000000; i++)
        *mine += i & 1;                                 // ran 8000000
    return at;                                          // ran 2
}
int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&together, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &counted[i]); // ran 2
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);                    // ran 2
    return counted[1] == 2000000 ? 0 : 1;               // ran 1
}
