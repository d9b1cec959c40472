/* A program that requires more arguments than it uses, and reads numbers in several formats. */
#include <stdio.h>
#include <stdlib.h>

int twice(int x)
{
    if (x == 1234)
        return 1;
    return 2 * x;
}

int main(int argc, char **argv)
{
    unsigned mask;
    int n;
    if (argc > 3 && atoi(argv[1]) == 77)
        return 3;
    if (scanf("%x,%d", &mask, &n) != 2)
        return 4;
    if (mask == 0xbeef && n == -5)
        return twice(n);
    return 0;
}
