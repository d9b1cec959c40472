#include <stdio.h>
#define GETS =
#define SHIFTED <<
#define NOT !

static int f(int a, int b)
{
    int x = 0;
    x
    GETS a
    SHIFTED b;
    if (x && (
        NOT b))
        puts("b is 0");
    return x;
}

int main(void)
{
    printf("%d\n", f(1, 2));
    return 0;
}
