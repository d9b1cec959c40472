#include <stdio.h>
static int a, b;
static void decode(int tag, int skip)
{
    switch (tag) {
    case 1:
        if (!skip)
    case 2:
        { a++; }
        b++;
        break;
    default:
        do
    case 3:
            a += 3;
        while (++b < 3);
        b += 2;
    }
}
int main(void)
{
    decode(1, 1);
    decode(1, 1);
    decode(2, 0);
    decode(3, 0);
    decode(1, 0);
    printf("%d %d\n", a, b);
    return 0;
}
