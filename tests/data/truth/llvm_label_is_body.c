#include <stdio.h>

static void f(int n)
{
    if (n > 5)
    again:
        puts("again");
    else
    other:
        puts("other");
    if (n-- == 0)
        return;
    if (n == 1)
        goto other;
    goto again;
}

int main(void)
{
    f(2);
    return 0;
}
