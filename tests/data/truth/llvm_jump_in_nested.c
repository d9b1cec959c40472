/* A region that begins after a jump in a macro, and ends after the macro, begins at its name too. */
static int n, state;

#define bit(action, seq) \
	if (n > 3) { \
		state = seq; \
		return; \
	} \
	action;

#define step(seq) \
	n++; \
	bit( \
		n += 0, \
		seq)

static void decode(void)
{
	step(1);
	step(2);
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		decode();
	return state != 1;
}
