#include <stdio.h>
static int f(int x)
{
    int n = 0;
    switch (x) {
        while (1)
    case 1: {
            n++;
            if (n > 3)
                break;
        }
    }
    return n;
}
int main(void)
{
    printf("%d\n", f(1));
    return 0;
}
