/* Leaves a file in its working directory, and aborts if an earlier run left one there. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (fopen("written_file", "r"))
        abort();
    FILE *file = fopen("written_file", "w");
    if (!file)
        abort();
    if (argc > 5)
        puts("never printed");
    fclose(file);
    return 0;
}
