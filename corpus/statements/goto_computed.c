/* Exercises computed goto: a small interpreter with a label table, some operations unused. */
#include <stdio.h>

static int run(const unsigned char *code, int limit)
{
    static const void *const table[] = {
        &&op_push, &&op_add, &&op_mul, &&op_neg, &&op_dup, &&op_halt
    };
    int stack[8];
    int sp = 0, steps = 0;

#define NEXT do { if (++steps > limit) goto too_long; goto *table[*code++]; } while (0)

    NEXT;
op_push:
    if (sp == 8)
        goto overflow;
    stack[sp++] = *code++;
    NEXT;
op_add:
    sp--;
    stack[sp - 1] += stack[sp];
    NEXT;
op_mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    NEXT;
op_neg:
    stack[sp - 1] = -stack[sp - 1];
    puts("negated");
    NEXT;
op_dup:
    stack[sp] = stack[sp - 1];
    sp++;
    NEXT;
op_halt:
    printf("steps %d\n", steps);
    return stack[0];

too_long:
    puts("too long");
    steps = 0;
    return -1;
overflow:
    puts("stack overflow");
    return -2;
}

int main(void)
{
    const unsigned char square[] = { 0, 12, 4, 2, 5 };
    const unsigned char sum[] = { 0, 3, 0, 4, 1, 0, 5, 2, 5 };
    int a = run(square, 100);
    int b = run(sum, 100);
    if (a < 0 || b < 0) {
        puts("error");
        return 1;
    }
    printf("%d %d\n", a, b);
    return 0;
}
