#include <stdio.h>

static int size(int x)
{
    int k = (int)sizeof(({ return 4; (char)0; }));
    k += x;
    printf("%d ", k);
    return k;
}

int main(void)
{
    int s = size(1);
    s += size(2);
    printf("%d\n", s);
    return 0;
}
