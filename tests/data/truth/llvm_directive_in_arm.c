#include <stdio.h>

#define EXTRA 1

static int kind(int n)
{
    int found;
    found =
#if EXTRA
        n == 2 ? 5 :
#endif
        7;
    return found;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += kind(i);
    printf("%d\n", sum);
    return 0;
}
