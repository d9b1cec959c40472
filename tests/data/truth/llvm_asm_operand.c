#include <stdio.h>

int main(void)
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        int x;
        __asm__("" : "=r"(x) : "0"(i > 2 ? 1 : 2));
        n += x;
    }
    printf("%d\n", n);
    return 0;
}
