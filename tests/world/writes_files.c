/* Leaves a file in its working directory, and dies if one of an earlier run is there. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (fopen("left_behind", "r"))
        abort();
    FILE *file = fopen("left_behind", "w");
    if (!file)
        abort();
    if (argc > 5)
        puts("never printed");
    fclose(file);
    return 0;
}
