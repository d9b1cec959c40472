#include <stdio.h>
static int v;
static void f(int n)
{
    for (int i = 0;; i++)
        if (i > n)
            return;
}
static void g(int n)
{
    int x = ({
        if (n > 1)
            return;
        n;
    });
    v += x;
}
int main(void)
{
    for (int i = 0; i < 4; i++) {
        f(i);
        g(i);
    }
    printf("%d\n", v);
    return 0;
}
