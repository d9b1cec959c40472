/* Exercises preprocessor conditionals in the middle of if/else chains and of loop headers. */
#include <stdio.h>

#define HAVE_HEX
#define HAVE_BINARY 0

static int base_of(const char *s)
{
	int base;

	if (s[0] != '0')
		base = 10;
#ifdef HAVE_HEX
	else if (s[1] == 'x')
		base = 16;
#endif
#if HAVE_BINARY
	else if (s[1] == 'b')
		base = 2;
#endif
	else if (s[1] == 'o') {
		puts("octal with a letter");
		base = 8;
	}
	else
#ifdef ALWAYS_DECIMAL
		base = 10;
#else
		base = 8;
#endif
	return base;
}

static int value(const char *s)
{
	int base = base_of(s), v = 0;

	s += base == 16 ? 2 : 0;
	while (*s
#ifdef HAVE_HEX
	       && *s != 'h'
#endif
	      ) {
		int d;
		if (*s <= '9') {
			d = *s - '0';
#ifdef HAVE_HEX
		} else if (*s >= 'a' && *s <= 'f') {
			d = *s - 'a' + 10;
		} else if (*s >= 'A' && *s <= 'F') {
			d = *s - 'A' + 10;
			puts("upper case");
#endif
		} else {
			printf("bad digit %c\n", *s);
			return -1;
		}
		if (d >= base) {
			puts("digit too large");
			d = base - 1;
		}
		v = v * base + d;
		s++;
	}
	return v;
}

int main(void)
{
	printf("%d %d %d\n", value("42"), value("0x2a"), value("052"));
	if (value("0") != 0) {
		puts("zero is broken");
		return 1;
	}
	return 0;
}
