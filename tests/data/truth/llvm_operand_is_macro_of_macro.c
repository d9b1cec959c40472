#include <stdio.h>
#define inner(x) ((x) * 2)
#define NEG(p) inner((p) < 0)
#define call(x) one(!!(x), 0)
#define CNEG(p) call((p) < 0)
static int one(int a, int b) { return a + b; }
static int f(long a, long b)
{
	if (a == 3 || NEG(b))
		return -1;
	if (a == 2 || CNEG(b))
		return -2;
	return 0;
}
int main(void)
{
	int t = 0;
	for (int a = -1; a < 5; a++)
		t += f(a, a - 1);
	printf("%d\n", t);
	return 0;
}
