/* Exercises classification of floating-point values; some classes do not occur. */
#include <float.h>
#include <math.h>
#include <stdio.h>

enum kind { ZERO, TINY, NORMAL, HUGE_ONE, NOT_FINITE };

static enum kind classify(double x)
{
	switch (fpclassify(x)) {
	case FP_ZERO:
		return ZERO;
	case FP_SUBNORMAL:
		return TINY;
	case FP_NORMAL:
		if (x > 1e300 || x < -1e300) {
			puts("huge");
			return HUGE_ONE;
		}
		return NORMAL;
	case FP_INFINITE:
		if (signbit(x)) {
			puts("minus infinity");
			x = -x;
		}
		return NOT_FINITE;
	case FP_NAN:
		puts("not a number");
		return NOT_FINITE;
	}
	puts("unknown class");
	return ZERO;
}

static double mean(const double *v, int n)
{
	double sum = 0, scale;
	int used = 0;

	for (int i = 0; i < n; i++) {
		if (classify(v[i]) == NOT_FINITE)
			continue;
		sum += v[i];
		used++;
	}
	if (used == 0) {
		puts("nothing to average");
		return 0;
	}
	scale = 1.0 / used;
	if (isinf(scale) || isnan(scale)) {
		scale = 1;
		puts("bad scale");
	}
	return sum * scale;
}

int main(void)
{
	double values[] = { 0.0, 1.5, DBL_MIN / 4, INFINITY, -3.5, 8.0 };
	double m = mean(values, 6);

	printf("%.3f\n", m);
	if (m != m) {
		puts("mean is not a number");
		m = 0;
		return 1;
	}
	printf("%d %d %d\n", classify(m), classify(values[2]), classify(values[3]));
	return 0;
}
