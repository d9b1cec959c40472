#include <stdio.h>

#define TOINT(x) _Generic((x), int: (x), default: ({ return -1; 0; }))

static int half(int n)
{
    int v = TOINT(n);
    if (v % 2)
        v--;
    return v / 2;
}

int main(void)
{
    int s = 0;
    for (int i = 3; i < 7; i++)
        s += half(i);
    printf("%d\n", s);
    return 0;
}
