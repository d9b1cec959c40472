#include <stdio.h>

static int cost(int kind)
{
    int c = 0;
    switch (kind) {
    default:
        break;
        c = 77;
    case 2:
        c += 5;
        break;
        c = 88;
    case 3:
        c += 6;
    }
    return c;
}

int main(void)
{
    int s = 0;
    for (int k = 0; k < 6; k++)
        s = s * 2 + cost(k);
    printf("%d\n", s);
    return 0;
}
