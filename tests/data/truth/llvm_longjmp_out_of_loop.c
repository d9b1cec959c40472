#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int n;

static void step(int i)
{
    n += i;
    if (i == 2)
        longjmp(env, 1);
}

static int all(void)
{
    for (int i = 0; i < 9; i++) {
        step(i);
        n += 10;
    }
    n = -5;
    return n;
}

int main(void)
{
    if (!setjmp(env))
        all();
    printf("%d\n", n);
    return 0;
}
