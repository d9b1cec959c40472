#include <stdio.h>
static int n;
static void f(int t)
{
    switch (t) {
    case 1:
        n++;
        break;
    case 2:
        n += 2;
        break;
    default: ((void)0);
    }
}
static void g(int t)
{
    for (int i = 0; i < t; i++) {
        int k = i % 2 + 1;
        switch (k) {
        case 1:
            n++;
            break;
        case 2:
            n += 2;
            break;
        default:
            ((void)0);
        }
    }
}
int main(void)
{
    f(1); f(2); f(1);
    g(4);
    printf("%d\n", n);
    return 0;
}
