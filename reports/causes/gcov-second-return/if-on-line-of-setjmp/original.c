#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static volatile int tries;

static int f(int n)
{
    setjmp(env); if (tries++ == n) {
        return n;
    }
    longjmp(env, 1);
}

int main(void)
{
    printf("%d\n", f(2));
    return 0;
}
