#include <stdio.h>

int main(void)
{
    long value = 7;

    switch (sizeof value) {
    case 1:
        puts("a byte");
        break;
    case 2:
        puts("two bytes");
        break;
    }
    printf("%ld\n", value);
    return 0;
}
