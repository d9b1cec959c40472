#include <stdalign.h>
int main(void)
{
    int c = _Alignof(
        int);
    int d = alignof(double);
    for (int i = 0; i < 6; i++)
        c += 2;
    return c + d > 100;
}
