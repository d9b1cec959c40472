#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += i > 1
            ? 2
            : 1;
    }
    printf("%d\n", n);
    exit(0);
}
