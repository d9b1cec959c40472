/* Exercises leaving a signal handler by siglongjmp back into a function with dead branches. */
#include <signal.h>
#include <setjmp.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile sig_atomic_t entered;

static void handler(int sig)
{
	entered++;
	if (sig == SIGTERM) {
		entered = 50;
		siglongjmp(back, 2);
	}
	siglongjmp(back, 1);
}

static int protected_work(int n)
{
	switch (sigsetjmp(back, 1)) {
	case 0:
		break;
	case 1:
		printf("work %d was interrupted\n", n);
		return -1;
	default:
		puts("terminated");
		entered = 0;
		return -2;
	}
	if (n % 3 == 2) {
		raise(SIGUSR2);
		puts("raise returned");
		n = 0;
	}
	return n * n;
}

int main(void)
{
	int failed = 0, sum = 0;

	signal(SIGUSR2, handler);
	if (signal(SIGTERM, handler) == SIG_ERR) {
		puts("no handler");
		return 1;
	}
	for (int n = 0; n < 7; n++) {
		int r = protected_work(n);
		if (r == -1) {
			failed++;
			continue;
		}
		if (r < 0) {
			puts("giving up");
			break;
		}
		sum += r;
	}
	printf("%d %d %d\n", failed, sum, (int)entered);
	return 0;
}
