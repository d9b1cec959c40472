#include <stdio.h>
static int f(int x)
{
    do
        x++;
    while (x < 5);
    return x;
}
int main(void)
{
    int n = 0;
    for (;;) {
        int i, m = 0;
        for (i = 0; i < 3; i++)
            if (m < i)
                m = i;
        if (m == 2 && n++ > 3)
            break;
    }
    printf("%d %d\n", f(1), n);
    return 0;
}
