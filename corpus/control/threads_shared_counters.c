/* Control: threads increment plain shared counters, so both the result and the profile race. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define TURNS 50000

static volatile long shared;
static volatile long odd;

static void bump(int i)
{
	if (i < 0) {
		puts("negative turn");
		shared = 0;
		return;
	}
	shared++;
	if (shared & 1)
		odd++;
}

static void *work(void *arg)
{
	int id = *(int *)arg;

	for (int i = 0; i < TURNS; i++) {
		bump(i);
		if (id > THREADS) {
			printf("thread %d\n", id);
			return NULL;
		}
	}
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];
	int id[THREADS], n;

	for (n = 0; n < THREADS; n++) {
		id[n] = n;
		if (pthread_create(&t[n], NULL, work, &id[n]) != 0) {
			perror("pthread_create");
			goto join;
		}
	}
join:
	while (n-- > 0)
		pthread_join(t[n], NULL);
	if (shared <= 0) {
		puts("nothing counted");
		shared = 0;
		return 1;
	}
	printf("%ld %ld\n", shared, odd);
	return 0;
}
