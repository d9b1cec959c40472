#include <stdio.h>
static int run(const unsigned char *pc)
{
    static void *ops[] = { &&halt, &&inc, &&twice };
    int acc = 0;
    goto *ops[*pc++];
inc:
    acc++;
    goto *ops[*pc++];
twice:
    acc *= 2;
    goto *ops[*pc++];
halt:
    return acc;
}
int main(void)
{
    const unsigned char code[] = { 1, 2, 1, 1, 0 };
    printf("%d %d\n", run(code), run(code + 3));
    return 0;
}
