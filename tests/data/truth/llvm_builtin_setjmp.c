#include <stdio.h>

static void *spot[5];
static int tries;

__attribute__((noinline)) static void retry(void)
{
    __builtin_longjmp(spot, 1);
}

int main(void)
{
    if (__builtin_setjmp(spot)) {
        tries += 10;
        printf("%d\n", tries);
        return 0;
    }
    tries++;
    retry();
    return 1;
}
