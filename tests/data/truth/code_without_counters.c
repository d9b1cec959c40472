#include <stdio.h>
static int g = 3, h = 4;
int f(int x)
{
    return (int) sizeof (char[((x < g
                                && x < h) & 7) + 1]);
}
int k(int x)
{
    return _Generic(1, default : x < 2
        || x < 3, int :
        x > 0 ? g
        : h);
}
int k2(int x)
{
    return _Generic(1, int :
        x > 0 ? g
        : h, default : x < 2
        || x < 3);
}
int k3(int x)
{
    return _Generic(1, default : 5, int :
        x > 0 ? g
        : h);
}
int main(void)
{
    printf("%d %d %d %d\n", f(1), k(1), k2(1), k3(1));
    return 0;
}
