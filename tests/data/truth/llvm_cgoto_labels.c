#include <stdio.h>

static int run(const unsigned char *pc)
{
    static void *const op[] = { &&halt, &&inc, &&dbl };
    int acc = 0;
next:
    goto *op[*pc++];
inc:
    acc++;
    goto next;
dbl:
    acc *= 2;
    if (acc < 50)
        goto *op[*pc++];
    else
        goto next;
halt:
    return acc;
}

int main(void)
{
    const unsigned char code[] = { 1, 2, 1, 2, 2, 2, 2, 1, 0 };
    printf("%d\n", run(code));
    return 0;
}
