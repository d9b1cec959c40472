#include <stdio.h>
static void show(int a, int b)
{
    printf("%s\n", b ? "one" : a && b ? "two" : "none");
}
int main(void)
{
    show(1, 1);
    show(0, 1);
    show(1, 0);
    show(0, 0);
    return 0;
}
