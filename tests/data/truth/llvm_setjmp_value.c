#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int trail, k;

int main(void)
{
    (void)setjmp(env);
    trail = trail * 10 + k;
    if (k == 3)
        printf("%d\n", trail);
    else
        longjmp(env, ++k);
    return 0;
}
