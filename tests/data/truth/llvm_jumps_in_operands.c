/* Operands that are statement expressions, which a jump may leave: what follows is evaluated less often. */
#define CHECK(x) ({ int r_ = (x); if (r_ < 0) return r_; r_; })

static int get(int k)
{
	return k > 6 ? -k : k;
}

static int chain(int k)
{
	return CHECK(get(k))
		+ CHECK(get(k + 2))
		+ CHECK(get(k + 3));
}

static int declared(int k)
{
	int a = CHECK(get(k)),
		b = CHECK(get(k + 2));
	return a + b;
}

int main(void)
{
	int n = 0;
	for (int i = 0; i < 8; i++)
		n += chain(i) + declared(i);
	for (int i = 0; i < 8; i++)
		n += ({ if (i == 3) continue; i; }) +
			({ if (i == 5) break; i; });
	for (int i = 0; i < 8; i++) {
		int x = ({ if (i == 3) continue; i; }),
			y = ({ if (i == 5) break; i; });
		n += x + y;
	}
	return n != 45;
}
