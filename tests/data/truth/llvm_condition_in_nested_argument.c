#include <stdio.h>

#define differ(a, b, c) ((c) != (b) && (a) >= 2 && (1 >= 2))

int value = 3;

int main(void)
{
    int found = differ(0, differ(value, 0, value), 1);
    printf("%d\n", found);
    return 0;
}
