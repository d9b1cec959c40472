/* Control: prints addresses of heap blocks. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *blocks[4] = { 0 };
	int i, err = 0;

	for (i = 0; i < 4; i++) {
		blocks[i] = malloc(100 + 50 * i);
		if (!blocks[i]) {
			perror("malloc");
			err = 1;
			goto out;
		}
		printf("block %d at %p\n", i, (void *)blocks[i]);
	}
	if (i != 4) {
		puts("wrong count");
		err = 2;
	} else {
		puts("four blocks");
	}
out:
	while (i > 0)
		free(blocks[--i]);
	if (err) {
		fprintf(stderr, "error %d\n", err);
		return err;
	}
	return 0;
}
