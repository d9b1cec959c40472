#include <stdio.h>

int main(void)
{
    int i = 0;
    if (i == 1)
        ({
            while (i--)
again:
                puts("never");
            goto again;
        });
    while (i++ < 2)
last:
        puts("body");
    if (i == 3)
        goto last;
    return 0;
}
