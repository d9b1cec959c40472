/* A whole program that reads numbers from its arguments. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int n = atoi(argv[1]);
    double x = strtod(argv[2], NULL);
    if (n == 31415)
        puts("the number");
    if (x > 1e6 && x < 1e6 + 1)
        puts("the value");
    if (n < 0)
        exit(4);
    return 0;
}
