#include <stdio.h>

static int classify(int c)
{
    int w = 0;
    {
        switch (c) {
        case 'a':
            w = 3;
            break;
        default:
            w = 1;
        }
        w *= 2;
    }
    printf("[%c]", c);
    return w;
}

int main(void)
{
    const char *p = "banana";
    int total = 0;
    while (*p)
        total += classify(*p++);
    printf(" %d\n", total);
    return 0;
}
