#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int tries;
static void retry(void) { longjmp(env, 1); }
int main(void)
{
    if (setjmp(env) != 0) {
        printf("back after %d\n", tries);
        return 0;
    }
    tries++;
    retry();
    return 1;
}
