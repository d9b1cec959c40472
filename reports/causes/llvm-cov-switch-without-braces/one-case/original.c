#include <stdio.h>

static int f(int n)
{
    switch (n)
    case 2:
        return 7;
    return 0;
}

int main(void)
{
    printf("%d\n", f(0) + f(1) + f(2));
    return 0;
}
