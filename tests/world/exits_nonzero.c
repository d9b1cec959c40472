/* Ends with a nonzero status, which is not an error. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 5)
        puts("never printed");
    exit(7);
}
