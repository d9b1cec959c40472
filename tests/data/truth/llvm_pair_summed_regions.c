#include <stdio.h>
#include <stdlib.h>
#define CHECK(n) if (f(n) < 0) abort();
#define CHECK_4 CHECK(0) CHECK(1) CHECK(2) CHECK(3)
static int f(int x)
{
    int n = 1;
    {
        if (x > 2)
            return x;
        n += x;
    }
    n++;
    return n;
}
int main(void)
{
    CHECK_4;
#define UNUSED
    CHECK_4;
    printf("%d\n", f(5));
    return 0;
}
