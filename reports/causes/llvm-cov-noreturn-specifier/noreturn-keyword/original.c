#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int failures;

_Noreturn static void fail(const char *what)
{
    printf("failed: %s\n", what);
    failures++;
    longjmp(back, 1);
}

static void check(int value)
{
    if (value > 2) {
        fail("too large");
        printf("not reached\n");
    }
    printf("%d is fine\n", value);
}

int main(void)
{
    for (volatile int i = 0; i < 5; i++)
        if (setjmp(back) == 0)
            check(i);
    printf("%d failures\n", failures);
    return 0;
}
