/* Ends with a status that is not 0, which is no failure of anybody. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 5)
        puts("never printed");
    exit(7);
}
