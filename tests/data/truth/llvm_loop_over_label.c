#include <stdio.h>
static int v;
static void f(int n)
{
    if (n > 1)
        goto in;
    while (0) {
    in:
        v++;
    }
    v += 2;
}
static void g(int n)
{
    v += sizeof(({
        if (n)
            v++;
        n;
    }));
}
int main(void)
{
    for (int i = 0; i < 4; i++) {
        f(i);
        g(i);
    }
    printf("%d\n", v); /* system, fork: only words */
    return 0;
}
