/* Control: counts its own runs in a file in the current folder, written and read in each run. */
#include <stdio.h>

#define NAME "recount_control_temporary.txt"

int main(void)
{
	int runs = 0, c, lines = 0;
	FILE *f = fopen(NAME, "a");

	if (!f) {
		perror(NAME);
		runs = -1;
		return 1;
	}
	fprintf(f, "run\n");
	if (fclose(f) != 0) {
		puts("cannot write");
		return 2;
	}

	f = fopen(NAME, "r");
	if (!f) {
		perror(NAME);
		goto fail;
	}
	while ((c = fgetc(f)) != EOF)
		if (c == '\n')
			lines++;
	fclose(f);
	runs = lines;
	printf("run %d\n", runs);
	if (lines >= 3)
		remove(NAME);
	if (lines > 1000) {
		puts("too many runs");
		lines = 0;
		return 3;
	}
	return 0;
fail:
	puts("cannot read");
	remove(NAME);
	return 4;
}
