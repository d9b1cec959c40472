#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int get(int n)
{
    if (n < 0)
        longjmp(env, 1);
    return n;
}
static int f(int n)
{
    int s;

    for (s = get(n); s > 0; s--)
        printf("%d\n", s);
    return s;
}
int main(void)
{
    volatile int i;

    for (i = -1; i < 3; i++) {
        if (setjmp(env))
            continue;
        printf("= %d\n", f(i));
    }
    return 0;
}
