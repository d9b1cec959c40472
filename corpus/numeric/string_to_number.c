/* Exercises conversion of text to integers and decimals; range and syntax errors do not occur. */
#include <limits.h>
#include <stdio.h>

enum status { OK, EMPTY, BAD_DIGIT, OUT_OF_RANGE };

static enum status to_int(const char *s, int base, int *out)
{
	long v = 0;
	int negative = 0;

	while (*s == ' ')
		s++;
	if (*s == '-' || *s == '+')
		negative = *s++ == '-';
	if (*s == '\0') {
		*out = 0;
		return EMPTY;
	}
	for (; *s; s++) {
		int d = *s >= '0' && *s <= '9' ? *s - '0'
		      : *s >= 'a' && *s <= 'z' ? *s - 'a' + 10
		      : 99;
		if (d >= base) {
			fprintf(stderr, "bad digit %c\n", *s);
			*out = (int)v;
			return BAD_DIGIT;
		}
		v = v * base + d;
		if (v > INT_MAX) {
			*out = INT_MAX;
			puts("out of range");
			return OUT_OF_RANGE;
		}
	}
	*out = (int)(negative ? -v : v);
	return OK;
}

static enum status to_decimal(const char *s, double *out)
{
	double v = 0, scale = 1;
	int seen_point = 0;

	for (; *s; s++)
		if (*s == '.') {
			if (seen_point) {
				puts("two points");
				return BAD_DIGIT;
			}
			seen_point = 1;
		} else {
			v = v * 10 + (*s - '0');
			if (seen_point)
				scale *= 10;
		}
	*out = v / scale;
	return OK;
}

int main(void)
{
	int a = 0, b = 0, c = 0;
	double d = 0;
	enum status s;

	if ((s = to_int("  -1234", 10, &a)) != OK
	    || (s = to_int("7fff", 16, &b)) != OK
	    || (s = to_int("+101101", 2, &c)) != OK
	    || (s = to_decimal("31.4159", &d)) != OK) {
		printf("error %d\n", s);
		a = b = c = 0;
		return (int)s;
	}
	printf("%d %d %d %.4f\n", a, b, c, d);
	return 0;
}
