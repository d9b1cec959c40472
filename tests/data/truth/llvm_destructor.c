#include <stdio.h>

static int opened;

__attribute__((constructor)) static void begin(void) {
    opened = 2;
}

__attribute__((destructor)) static void end(void) {
    opened--;
    printf("closed, %d left\n", opened);
}

int main(void)
{
    opened++;
    printf("open %d\n", opened);
    return 0;
}
