#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(c, code) if (!(c)) exit(code)

static int checked(int n)
{
    if (n > 3)
        exit(0);
    return n;
}

static int twice(int n)
{
    int v = checked(n);
    REQUIRE(v < 9,
            2);
    return v;
}

int main(void)
{
    for (int i = 0; i < 9; i++)
        printf("%d\n", twice(i));
    return 0;
}
