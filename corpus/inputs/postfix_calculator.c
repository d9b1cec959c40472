/* Exercises a postfix calculator that reads its expression from argv. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 16

static long stack[DEPTH];
static int used;

static void push(long v)
{
	if (used == DEPTH) {
		fprintf(stderr, "stack is full\n");
		exit(3);
	}
	stack[used++] = v;
}

static long pop(void)
{
	if (used == 0) {
		puts("stack is empty");
		used = 0;
		exit(4);
	}
	return stack[--used];
}

static int apply(char op)
{
	long b = pop();
	long a = pop();

	switch (op) {
	case '+': push(a + b); break;
	case '-': push(a - b); break;
	case 'x':
	case '*': push(a * b); break;
	case '/':
		if (b == 0) {
			puts("division by zero");
			return -1;
		}
		push(a / b);
		break;
	case '%':
		puts("remainder");
		push(b ? a % b : 0);
		break;
	default:
		printf("unknown operator %c\n", op);
		return -2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *end;
		long v = strtol(argv[i], &end, 10);

		if (end != argv[i] && *end == '\0')
			push(v);
		else if (strlen(argv[i]) != 1) {
			printf("bad word %s\n", argv[i]);
			return 1;
		} else if (apply(argv[i][0]) < 0)
			return 2;
	}
	if (argc < 2) {
		puts("nothing to compute");
		return 0;
	}
	long result = pop();
	printf("%ld (%d left)\n", result, used);
	return 0;
}
