/* Exercises loops of every kind whose bodies never run, or run only up to a dead tail. */
#include <stdio.h>

struct node { int value; struct node *next; };

int main(void) {
	struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };
	struct node *empty = NULL;
	int sum = 0, n = 0;

	for (struct node *p = &a; p; p = p->next) {
		sum += p->value;
		for (struct node *q = empty; q; q = q->next) {
			sum -= q->value;
			n++;
			if (n > 4)
				break;
		}
	}
	while (empty != NULL) {
		sum += empty->value;
		empty = empty->next;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++) {
			printf("%d %d\n", i, j);
			sum = i * j;
		}
	for (int i = 0; i < 4; i++) {
		sum += i;
		if (i < 10)
			continue;
		printf("tail %d\n", i);
		sum *= 2;
		n = i;
	}
	if (n)
		do {
			printf("n %d\n", n);
			n--;
		} while (n > 0);
	for (;;) {
		sum++;
		break;
		sum = 99;
		puts("after break");
	}
	while (sum < 20) {
		sum += 4;
		switch (sum) {
		case 1000:
			puts("thousand");
			continue;
		default:
			continue;
		}
		puts("after the switch");
		sum = 0;
	}
	printf("sum %d\n", sum);
	return 0;
}
