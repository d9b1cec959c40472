/* Exercises mutual recursion: a recursive-descent calculator whose error paths do not run. */
#include <stdio.h>
#include <ctype.h>

static const char *at;
static int errors;

static int expression(void);

static int factor(void)
{
	int v = 0;

	if (*at == '(') {
		at++;
		v = expression();
		if (*at != ')') {
			puts("missing )");
			errors++;
			return v;
		}
		at++;
		return v;
	}
	if (*at == '-') {
		at++;
		v = factor();
		return -v;
	}
	if (!isdigit((unsigned char)*at)) {
		printf("unexpected '%c'\n", *at);
		errors++;
		at++;
		return 0;
	}
	while (isdigit((unsigned char)*at))
		v = v * 10 + (*at++ - '0');
	return v;
}

static int term(void)
{
	int v = factor();

	while (*at == '*' || *at == '/') {
		if (*at++ == '*') {
			v *= factor();
		} else {
			int d = factor();
			if (d == 0) {
				puts("division by zero");
				errors++;
				return v;
			}
			v /= d;
		}
	}
	return v;
}

static int expression(void)
{
	int v = term();

	while (*at == '+' || *at == '-')
		if (*at++ == '+')
			v += term();
		else
			v -= term();
	return v;
}

int main(void)
{
	at = "2*(3+4)-20/(1+4)";
	int v = expression();
	if (*at) {
		printf("left over: %s\n", at);
		errors++;
	}
	printf("%d\n", v);
	return errors;
}
