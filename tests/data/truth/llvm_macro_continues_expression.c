#include <stdio.h>
#define SAME(x) (x)
static int a = 1, b, c = 1;
int main(void)
{
    b = (a = (c == c ||
        b != c), SAME(a));
    printf("%d %d\n", b, a);
    return 0;
}
