#include <stdio.h>
#include <stdlib.h>

static void panic(const char *what)
{
    printf("%s\n", what);
    exit(1);
}

static int again(int n)
{
    int sum = 0;
    if (n > 2) {
        sum = 1;
        if (n > 3)
            sum = 2;
    }
retry:

    switch (n) {
    case 0:
        return sum;
    case 7:
        panic("seven");
        break;
    default:
        n--;
        sum++;
        goto retry;
    }
    panic("unknown");
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += again(i);
    printf("%d\n", sum);
    return 0;
}
