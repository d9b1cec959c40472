#include <stdio.h>

static int run(const unsigned char *pc)
{
    static void *const op[] = { &&halt, &&inc, &&dbl };
    int acc = 0;
    for (;;) {
        if (acc < 40)
            goto *op[*pc++];
        acc -= 7;
        continue;
inc:
        acc++;
        continue;
dbl:
        acc *= 2;
        if (acc > 20)
            acc += 20;
        continue;
halt:
        return acc;
    }
}

int main(void)
{
    const unsigned char code[] = { 1, 2, 1, 2, 2, 2, 1, 0 };
    printf("%d\n", run(code));
    return 0;
}
