#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int n;

static void deep(int x)
{
    n += x;
    if (x == 0)
        longjmp(env, 1);
    deep(x - 1);
    n = -1;
}

static void guarded(int x)
{
    if (!setjmp(env))
        deep(x);
    n++;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        guarded(i);
    printf("%d\n", n);
    return 0;
}
