#include <stdio.h>

static int ends;

static int climb(int x)
{
    do
        x += 3;
    while (({ if (x % 5 == 0) return x; x < 12; }));
    ends++;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int k = 0; k < 5; k++)
        r += climb(k);
    printf("%d %d\n", r, ends);
    return 0;
}
