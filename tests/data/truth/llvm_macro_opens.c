#include <stdio.h>

#define CASE(n) case n:
#define IF(c) if (c) {
#define END }

static int f(int x)
{
    switch (x) {
    CASE(1)
        x += 2;
        break;
    CASE(2) CASE(3)
        x += 3;
        break;
    default:
        x += 4;
    }
    IF(x > 5)
        x--;
    END
    return x;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += f(i);
    printf("%d\n", s);
    return 0;
}
