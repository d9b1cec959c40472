/* Arguments that are statement expressions, which a jump may leave: gcc evaluates the last one first. */
static int add(int a, int b)
{
	return a + b;
}

static int both(int k)
{
	return add(
		({ if (k == 3) return -1; k; }),
		({ if (k == 5) return -2; k; }));
}

int main(void)
{
	int n = 0;
	for (int i = 0; i < 8; i++)
		n += add(({ if (i == 3) continue; i; }),
			({ if (i == 5) break; i; }));
	for (int i = 0; i < 8; i++)
		n += both(i);
	return n != 51;
}
