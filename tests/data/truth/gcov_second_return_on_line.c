#include <stdio.h>
#include <setjmp.h>
static jmp_buf b;
static void risky(int n)
{
    if (n == 2)
        longjmp(b, 1);
}
static int f(int n)
{
    int e = setjmp(b); if (e == 0) {
        risky(n);
        return 1;
    }
    return 2;
}
int main(void)
{
    int s = 0;
    for (volatile int i = 0; i < 3; i++)
        s += f(i);
    printf("%d\n", s);
    return 0;
}
