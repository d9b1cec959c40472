#include <stdio.h>

static int digits(unsigned v)
{
    int n = 0;
    do {
        n++;
        if (v < 10)
            break;
        v /= 10;
    } while (1);
    return n;
}

int main(void)
{
    unsigned t[] = { 7, 42, 31337, 100 };
    int s = 0;
    for (int i = 0; i < 4; i++)
        s = s * 10 + digits(t[i]);
    printf("%d\n", s);
    return 0;
}
