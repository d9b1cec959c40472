/* Exercises for loops with each part of the header left out in turn. */
#include <stdio.h>

int
main(void)
{
	int i, j, n, sum = 0;
	int guard = 0;

	for (i = 0; i < 5; i++)
		sum += i;
	printf("full %d\n", sum);

	i = 10;
	for (; i < 15; i++) {
		sum += i;
		if (sum > 9999) {
			puts("overflow");
			sum = 0;
			break;
		}
	}
	printf("no init %d\n", sum);

	for (i = 0;; i++) {
		if (i == 4)
			break;
		if (i > 4) {
			guard++;
			goto fail;
		}
		sum -= i;
	}
	printf("no condition %d\n", sum);

	for (i = 20; i > 0;) {
		i -= 7;
		sum++;
	}
	printf("no step %d %d\n", sum, i);

	n = 3;
	for (; n;)
		n--;

	for (i = 0, j = 9; i < j; i++, j--)
		sum += i * j;
	printf("two variables %d\n", sum);

	for (int k = 5; k < sum && k < 0; k++) {
		printf("dead body %d\n", k);
		sum = k;
	}
	for (; guard > 0; guard--)
		puts("guarded");
	return 0;
fail:
	fprintf(stderr, "failed with %d\n", guard);
	sum = -1;
	return sum == -1 ? 2 : 3;
}
