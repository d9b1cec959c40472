#include <pthread.h>
static long counted[4];
static void *work(void *at)
{
    long *mine = at;
    for (int i = 0; i < 300000; i++)
        *mine += i & 1;                                 // ran 1200000
    return at;                                          // ran 4
}
int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, &counted[i]); // ran 4
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);                    // ran 4
    return counted[3] == 150000 ? 0 : 1;                // ran 1
}
