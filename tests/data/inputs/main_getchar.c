/* A whole program that reads characters until there are none. */
#include <stdio.h>

int main(void)
{
    int c, digits = 0, others = 0;
    while ((c = getchar()) != EOF) {
        if (c >= '0' && c <= '9')
            digits++;
        else
            others++;
    }
    if (digits > 3)
        printf("a number\n");
    if (others == 0)
        printf("nothing else\n");
    return 0;
}
