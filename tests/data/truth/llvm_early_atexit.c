#include <stdio.h>
#include <stdlib.h>

static int n;

static void summary(void) {
    n *= 2;
    printf("summary %d\n", n);
}

__attribute__((constructor(101))) static void install(void) {
    n = 1;
    atexit(summary);
}

int main(void)
{
    n += 4;
    printf("main %d\n", n);
    return 0;
}
