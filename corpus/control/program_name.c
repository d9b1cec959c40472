/* Control: prints argv[0] and scans it, so counts depend on where the program was built. */
#include <stdio.h>

int main(int argc, char **argv)
{
	int slashes = 0, length = 0;
	const char *p;

	if (argc < 1 || argv[0] == NULL) {
		fprintf(stderr, "no name\n");
		slashes = -1;
		return 1;
	}
	for (p = argv[0]; *p; p++) {
		length++;
		if (*p == '/')
			slashes++;
		if (length > 100000) {
			puts("name is too long");
			goto end;
		}
	}
	printf("%s has %d characters and %d slashes\n", argv[0], length, slashes);
	if (argc > 1000) {
		puts("too many arguments");
		argc = 1000;
		return 2;
	}
end:
	return 0;
}
