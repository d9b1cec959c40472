#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int errors, good;

static void task(int i)
{
    if (i % 2)
        longjmp(env, 1);
    good += i;
}

int main(void)
{
    for (volatile int i = 0; i < 5; i++) {
        if (setjmp(env)) {
            errors++;
            continue;
        }
        task(i);
        good += 100;
    }
    printf("%d %d\n", errors, good);
    return 0;
}
