/* Control: computes a checksum of its own executable and branches on it. */
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("/proc/self/exe", "rb");
	unsigned sum = 0;
	int c, odd = 0;
	long size = 0;

	if (!f) {
		perror("/proc/self/exe");
		size = -1;
		return 1;
	}
	while ((c = getc(f)) != EOF) {
		sum = sum * 31u + (unsigned)c;
		size++;
		if (sum & 1)
			odd++;
		if (size > 100000000L) {
			puts("huge executable");
			goto end;
		}
	}
	for (unsigned i = 0; i < sum % 64; i++)
		odd--;
	if (odd < -1000) {
		puts("very odd");
		odd = 0;
	}
	printf("%ld bytes, checksum %08x, %d\n", size, sum, odd);
end:
	fclose(f);
	return 0;
}
