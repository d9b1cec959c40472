// Exercises switch statements without default, values that match nothing, and a dead last case.
#include <stdio.h>

enum colour { RED, GREEN, BLUE, WHITE };

static const char *name_of(enum colour c)
{
	switch (c) {
	case RED:
		return "red";
	case GREEN:
		return "green";
	case BLUE:
		return "blue";
	case WHITE:
		return "white";
	}
	fputs("no such colour\n", stderr);
	return "?";
}

static int mix(enum colour a, enum colour b)
{
	int mixed = 0;

	switch (a + b) {
	case 1:
		mixed = 7;
		break;
	case 2:
		mixed = 8;
		break;
	case 5:
		mixed = 9;
		puts("nearly white");
		mixed++;
	}
	switch (mixed) {
	case 100:
		puts("cannot be");
		mixed = 0;
	}
	return mixed;
}

int main(void)
{
	int total = 0;

	for (int a = RED; a <= GREEN; a++)
		for (int b = RED; b <= BLUE; b++)
			total += mix(a, b);
	printf("%s %s %d\n", name_of(RED), name_of(BLUE), total);
	return 0;
}
