#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int half(int n)
{
    if (n == 3)
        longjmp(env, 1);
    return n / 2;
}
static int differences(int n)
{
    int found;
    found = half(n) * 2
        - half(n - 1)
        + half(n - 2);
    return found;
}
int main(void)
{
    volatile int sum = 0;
    for (volatile int i = 0; i < 6; i++)
        if (!setjmp(env))
            sum += differences(i);
    printf("%d\n", sum);
    return 0;
}
