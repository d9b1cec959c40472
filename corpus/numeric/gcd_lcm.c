/* Exercises gcd, lcm and the extended algorithm, with zero, overflow and no-inverse branches. */
#include <stdio.h>
#include <limits.h>

static unsigned gcd(unsigned a, unsigned b)
{
	while (b) {
		unsigned t = a % b;
		a = b;
		b = t;
	}
	return a;
}

static unsigned lcm(unsigned a, unsigned b)
{
	unsigned g;

	if (a == 0 || b == 0) {
		puts("lcm with zero");
		return 0;
	}
	g = gcd(a, b);
	if (a / g > UINT_MAX / b) {
		puts("lcm overflows");
		a = 0;
		return UINT_MAX;
	}
	return a / g * b;
}

static int inverse(int a, int m)
{
	int r0 = m, r1 = a, s0 = 0, s1 = 1;

	while (r1 != 0) {
		int q = r0 / r1, t;

		t = r0 - q * r1; r0 = r1; r1 = t;
		t = s0 - q * s1; s0 = s1; s1 = t;
	}
	if (r0 != 1) {
		printf("%d has no inverse modulo %d\n", a, m);
		s0 = 0;
		return -1;
	}
	if (s0 < 0)
		s0 += m;
	return s0;
}

int main(void)
{
	unsigned all = 1;
	int product;

	for (unsigned i = 2; i <= 20; i++)
		all = lcm(all, i);
	printf("%u %u %u\n", gcd(1071, 462), gcd(17, 0), all);
	product = inverse(17, 3120);
	if (product < 0) {
		puts("inverse failed");
		return 1;
	}
	printf("%d %d\n", product, product * 17 % 3120);
	return 0;
}
