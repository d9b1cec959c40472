#include <stdio.h>
int main(void)
{
    int a = 1, k = 2, c[2] = { 3, 4 };
    switch (a) {
    case 1: puts("x");
    default:
        do {
            { static void *const t[2] = { &&one, &&two };
            goto *t[(a > k || (a > c[4 & 1] || k <= c[a
                & 1])) & 1]
                ;
            }
one:
            puts("one");
        } while (a > 1);
    }
two:
    return 0;
}
