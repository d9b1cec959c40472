#include <stdio.h>

extern inline __attribute__((gnu_inline)) int half(int x)
{
    if (x)
        return x / 2;
    return 0;
}

int half(int x)
{
    return x / 2;
}

int main(void)
{
    printf("%d\n", half(4) + half(0));
    return 0;
}
