#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn)) static long fail(int code)
{
    exit(code);
}

static int width(int x)
{
    int w = (int)sizeof(fail(3));
    w -= x;
    return w;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += width(i * 4);
    printf("%d\n", s);
    if (s < 0)
        fail(1);
    return 0;
}
