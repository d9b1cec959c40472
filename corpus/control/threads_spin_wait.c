/* Control: one thread spins until another is ready; the number of iterations depends on the scheduler. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;
static atomic_int finished;

static void *producer(void *arg)
{
    long sum = 0;
    for (int i = 0; i < 20000; i++)
        sum += i;
    if (sum < 0) {
        puts("overflow");
        sum = 0;
        goto out;
    }
    atomic_store(&ready, (int)(sum % 1000) + 1);
out:
    atomic_fetch_add(&finished, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned long turns = 0;

    if (pthread_create(&t, NULL, producer, NULL)) {
        fprintf(stderr, "no thread\n");
        turns = 1;
        return 1;
    }
    while (atomic_load(&ready) == 0) {
        turns++;
        sched_yield();
        if (turns == 100000000) {
            puts("gave up");
            return 2;
        }
    }
    pthread_join(t, NULL);
    if (atomic_load(&finished) != 1) {
        puts("not finished");
        return 3;
    }
    printf("%lu turns\n", turns);
    return 0;
}
