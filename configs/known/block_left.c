#include <stdio.h>
static int half(int x)
{
    {
        if (x % 2)
            return -1;
        x /= 2;
    }
    x += 100;
    return x;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += half(i);
    printf("%d\n", s);
    return 0;
}
