#include <stdlib.h>
static int f(int a, int b)
{
    int x = a ? 1 : ({ if (b) exit(1); 2; });
    x++;
    return x;
}
int main(void)
{
    return f(0, 0) + f(1, 0) != 5;
}
