/* Exercises GNU case ranges, with and without fallthrough, some never taken. */
#include <stdio.h>

static int char_class(unsigned char c)
{
	switch (c) {
	case '0' ... '9':
		return 1;
	case 'a' ... 'z':
	case 'A' ... 'Z':
		return 2;
	case ' ':
	case '\t' ... '\r':
		return 3;
	case 128 ... 255:
		fputs("not ASCII\n", stderr);
		return -1;
	default:
		return 4;
	}
}

static const char *age_group(int age)
{
	const char *g = "none";
	switch (age) {
	case 0 ... 2:
		g = "infant";
		break;
	case 3 ... 12:
		g = "child";
		break;
	case 13 ... 19:
		puts("teen seen");
		g = "teen";
		break;
	case 20 ... 150:
		g = "adult";
		if (age > 110) {
			puts("very old");
			g = "elder";
		}
	}
	return g;
}

int main(void)
{
	const char *s = "Unit 42, block C; 7 days.";
	int count[5] = { 0 };

	for (; *s; s++) {
		int k = char_class((unsigned char)*s);
		if (k < 0) {
			puts("stopping");
			return 1;
		}
		count[k]++;
	}
	printf("%d %d %d %d\n", count[1], count[2], count[3], count[4]);
	printf("%s %s %s\n", age_group(1), age_group(8), age_group(70));
	return 0;
}
