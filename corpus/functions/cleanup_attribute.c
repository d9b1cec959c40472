/* Exercises the cleanup attribute: clean-up at end of block, on return, break, goto, and in dead blocks. */
#include <stdio.h>

static int opened, closed;

static void close_handle(int *h)
{
	if (*h < 0) {
		puts("closing a bad handle");
		return;
	}
	closed += *h;
}

#define HANDLE __attribute__((cleanup(close_handle))) int

static int use(int n)
{
	HANDLE a = n;
	opened += a;
	if (n > 90) {
		HANDLE spare = n * 2;
		opened += spare;
		printf("spare %d\n", spare);
		return spare;
	}
	if (n == 2)
		return 20;
	{
		HANDLE b = n + 1;
		opened += b;
		if (b == 50) {
			puts("fifty");
			goto out;
		}
		if (n == 4)
			goto out;
	}
	n *= 2;
out:
	return n;
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i < 6; i++) {
		HANDLE h = i;
		opened += h;
		if (i == 5)
			break;
		if (i == 77) {
			HANDLE never = 1;
			opened += never;
			continue;
		}
		sum += use(i);
	}
	printf("sum %d opened %d closed %d\n", sum, opened, closed);
	if (opened != closed) {
		HANDLE late = opened - closed;
		puts("leak");
		return late > 0;
	}
	return 0;
}
