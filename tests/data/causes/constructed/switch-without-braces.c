#include <stdio.h>

static void f(int x)
{
    switch (x)
        case 7:
            puts("seven");
}

int main(void)
{
    f(6);
    f(7);
    f(8);
    return 0;
}
