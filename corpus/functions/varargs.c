/* Exercises variadic functions: va_arg in loops and in a switch on a format, va_copy, dead formats. */
#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static int maximum(int count, ...)
{
	va_list ap;
	int best;

	if (count <= 0) {
		puts("no arguments");
		return 0;
	}
	va_start(ap, count);
	best = va_arg(ap, int);
	while (--count > 0) {
		int v = va_arg(ap, int);
		if (v > best)
			best = v;
	}
	va_end(ap);
	return best;
}

static size_t describe(char *out, size_t size, const char *format, ...)
{
	va_list ap, copy;
	size_t n = 0;

	va_start(ap, format);
	va_copy(copy, ap);
	for (; *format && n + 24 < size; format++) {
		switch (*format) {
		case 'i':
			n += (size_t)snprintf(out + n, size - n, "%d;", va_arg(ap, int));
			break;
		case 's':
			n += (size_t)snprintf(out + n, size - n, "%.10s;", va_arg(ap, const char *));
			break;
		case 'd': {
			double d = va_arg(ap, double);
			if (d < 0) {
				out[n++] = '-';
				d = -d;
			}
			n += (size_t)snprintf(out + n, size - n, "%.2f;", d);
			break;
		}
		case 'p':
			(void)va_arg(ap, void *);
			strcpy(out + n, "pointer;");
			n += 8;
			break;
		default:
			puts("bad format");
			va_end(copy);
			va_end(ap);
			return 0;
		}
	}
	printf("first again: %d\n", va_arg(copy, int));
	va_end(copy);
	va_end(ap);
	return n;
}

int main(void)
{
	char text[80];
	size_t n = describe(text, sizeof text, "isid", 7, "seven", -7, 7.125);

	printf("%zu %s\n", n, text);
	printf("%d %d\n", maximum(4, 3, 9, 2, 5), maximum(1, -1));
	return n == 0;
}
