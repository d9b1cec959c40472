/* The second and third expansion of `step` have the count from before the `goto` in the first and second. */
static int n, state;

#define use(prob, seq) \
	do { \
		if (n > 8) { \
			state = seq; \
			goto out; \
		} \
		prob; \
	} while (0)

#define step(seq) \
	n++; \
	use(n++, \
		seq)

int main(void)
{
	for (int i = 0; i < 3; i++) {
		step(1);
		step(2);
		step(3);
	}
out:
	return state != 2;
}
