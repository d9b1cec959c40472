#include <stdio.h>

static int left;

static int walk(int lim)
{
    for (int i = 0;
         i < 3;
         i += ({ if (i == lim) return 1; 1; }))
        left++;
    left += 100;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int k = 0; k < 5; k++)
        r += walk(k);
    printf("%d %d\n", r, left);
    return 0;
}
