#include <stdio.h>

static int fill(int x)
{
    int t[3] = {
        x,
        ({ if (x % 2) goto odd; x + 1; }), 7
    };
    return t[1] + t[2];
odd:
    return -1;
}

int main(void)
{
    int s = 0;
    for (int x = 0; x < 5; x++)
        s = s * 2 + fill(x);
    printf("%d\n", s);
    return 0;
}
