/* Exercises the forward goto clean-up idiom, with error labels that are never reached. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int build(const char *a, const char *b, int *length)
{
	char *first = NULL, *second = NULL;
	int err = 0;

	first = malloc(strlen(a) + 1);
	if (!first)
		goto no_first;
	strcpy(first, a);

	second = malloc(strlen(a) + strlen(b) + 2);
	if (second == NULL) {
		fprintf(stderr, "out of memory\n");
		goto no_second;
	}
	strcpy(second, first);
	strcat(second, "-");
	strcat(second, b);
	if (strlen(second) > 60) {
		err = -3;
		goto out;
	}
	*length = (int)strlen(second);
	printf("%s\n", second);
	goto out;

no_first:
	err = -1;
	puts("first allocation failed");
	return err;
no_second:
	err = -2;
	puts("second allocation failed");
	free(first);
	return err;
out:
	free(second);
	free(first);
	return err;
}

int main(void)
{
	int total = 0, length = 0;
	if (build("alpha", "beta", &length) < 0)
		goto fail;
	total += length;
	if (build("x", "", &length) < 0)
		goto fail;
	total += length;
	printf("total %d\n", total);
	return 0;
fail:
	puts("failed");
	total = -1;
	return 1;
}
