/* A longjmp into main: clang reports that the branch that it leaves did not run. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void leave(int x)
{
    if (x > 0)
        longjmp(back, 1);
    puts("never printed");
}

int main(void)
{
    int n = 0;
    if (setjmp(back)) {
        n++;
        puts("back");
    } else {
        leave(1);
        puts("never printed");
        n = 7;
    }
    return n != 1;
}
