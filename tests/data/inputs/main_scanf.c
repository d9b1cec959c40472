/* A whole program that reads numbers from its standard input. */
#include <stdio.h>

int main(void)
{
    int n;
    double x;
    if (scanf("%d %lf", &n, &x) != 2)
        return 1;
    if (n == 2718 && x == -0.5)
        printf("found\n");
    if (n > 100)
        printf("large\n");
    return 0;
}
