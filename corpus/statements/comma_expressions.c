/* Exercises comma expressions in headers, conditions, returns and plain statements. */
#include <stdio.h>

static int trace_count;

static int trace(int v)
{
	return trace_count++, v;
}

static int reduce(int n)
{
	if (n > 1000)
		return puts("too large"), n = 0, -1;
	while (n -= 3, n > 2)
		trace(n);
	return n++, n *= 2, n;
}

int main(void)
{
	int a, b, c;

	a = 1, b = a + 1, c = b + 1;
	a = (trace(b), trace(c), a + 10);
	for (b = 0, c = 20; trace(b), b < c; b += 3, c -= 2)
		a++, a += b;
	if (a++, a > 5000)
		puts("large"), a = 0, c = 0;
	else
		a--, c++;
	if (c < 0)
		c = -c,
		a = 0,
		puts("swapped");
	printf("%d %d %d\n", a, b, c);
	do
		a -= 7, trace(a);
	while (c--, a > 10);
	a = (b > 100) ? (puts("b is large"), 1)
	              : (b++, b + 2);
	if (trace_count > 100) {
		trace_count = 0, a = 0;
		puts("too many traces");
		b = 0, c = 0;
		return 1;
	}
	switch (b += 1, b % 4) {
	case 0: puts("zero"), a++; break;
	case 1: puts("one"), a--; break;
	case 2: puts("two"), a += 2; break;
	case 3: puts("three"), a += 3;
	}
	printf("%d %d %d %d\n", a, b, c, reduce(17));
	printf("traced %d\n", trace_count);
	return a < 0 ? (puts("negative"), 1) : 0;
}
