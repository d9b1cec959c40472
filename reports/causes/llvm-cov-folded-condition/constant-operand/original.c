#include <stdio.h>

int main(void)
{
    if (sizeof(int) > 1 &&
        sizeof(char) == 1)
        puts("usual");
    return 0;
}
