#include <stdio.h>

static int width(int value)
{
#if defined(_WIN16)
    return 16;
#elif defined(__linux__)
    value *= 2;
    return value;
#endif
}

int main(void)
{
    printf("%d\n", width(3));
    return 0;
}
