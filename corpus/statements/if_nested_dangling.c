// Exercises nested if statements, including a dangling else and braceless nesting.
#include <stdio.h>

int classify(int a, int b, int c)
{
	int kind = 0;

	if (a > 0)
		if (b > 0)
			if (c > 0)
				kind = 1;
			else
				kind = 2;
		else
			kind = 3;
	else
		if (b > 0) {
			kind = 4;
			if (c > 0) {
				kind += 10;
				if (c > 100) {
					kind += 100;
					puts("large c");
				}
			} else
				kind += 20;
		} else {
			kind = 5;
			if (c < 0)
				kind = -kind;
		}
	return kind;
}

int main(void)
{
	int sum = 0;

	sum += classify(1, 1, 1);
	sum += classify(1, 1, -1);
	sum += classify(-1, 1, 5);
	sum += classify(-1, 1, 7);
	printf("sum %d\n", sum);

	if (sum > 0) {
		if (sum > 1000) {
			puts("huge");
			sum /= 2;
			if (sum > 5000)
				sum = 5000;
			printf("halved %d\n", sum);
		}
		puts("positive");
	} else {
		puts("not positive");
		sum = 0;
	}
	printf("%d\n", sum % 7);
	return 0;
}
