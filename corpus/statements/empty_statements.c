/* Exercises empty statements, empty blocks, and loops that do all their work in the header. */
#include <stdio.h>

static int length(const char *s)
{
	const char *p;
	for (p = s; *p; p++)
		;
	return (int)(p - s);
}

int main(void)
{
	int i = 0, n = 0;;
	const char *s = "empty";

	;
	{}
	{ ; }
	{
	}
	while (i++ < 5)
		;
	if (i == 6)
		;
	else
		puts("odd count");
	if (i != 6) {
		;
		puts("other odd count");
		;
	} else {
	}
	do ; while (n++ < 3);
	for (; n < 10; n++) {}
	for (; n < 0; n++) { ; }
	while (n > 100) {
		;
		n--;
	}
	switch (n) {
	case 10: ;
		break;
	case 11:
		;
		puts("eleven");
		break;
	default: ;
	}
	(void)0;
	printf("%d %d %d\n", i, n, length(s));
	if (length(s) != 5) {
		puts("wrong length");;
		return 1;;
	}
	return 0;
}
