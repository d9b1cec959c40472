/* Exercises exit() in the middle of nested calls and loops; the rest of every caller stays unexecuted. */
#include <stdio.h>
#include <stdlib.h>

static int budget = 20;

static void spend(int amount)
{
	budget -= amount;
	printf("budget %d\n", budget);
	if (budget < -100) {
		puts("bankrupt");
		exit(99);
	}
	if (budget <= 0)
		exit(7);
	if (budget == 1) {
		puts("last coin");
		budget = 0;
	}
}

static int week(int n)
{
	int day;

	for (day = 0; day < 7; day++) {
		spend(day);
		if (day == 6) {
			puts("end of the week");
			n++;
		}
	}
	n += 1;
	printf("week %d\n", n);
	return n;
}

int main(void)
{
	int n = 0;

	while (n < 10) {
		n = week(n);
		if (n > 5)
			break;
		puts("next week");
	}
	printf("weeks %d\n", n);
	spend(1);
	return 0;
}
