#include <stdio.h>

static int level(int a, int b, int c)
{
    switch (a ? 1 : b && c ? 2 : 0) {
        case 1: return 10;
        case 2: return 20;
    }
    return 0;
}

int main(void)
{
    printf("%d\n", level(1, 0, 0) + level(0, 1, 1) + level(0, 0, 1) + level(1, 1, 1));
    return 0;
}
