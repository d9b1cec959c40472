#include <stdio.h>
int x;
void fn (int a, int b, int c, int d) {
    if ((a && (b || c)) && d)
        x = 1;
    else
        x = 2;
}
int main(void)
{
    fn(0, 1, 0, 1);
    fn(1, 0, 0, 1);
    fn(1, 0, 0, 0);
    printf("%d\n", x);
    return 0;
}
