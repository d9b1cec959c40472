/* Aborts unless the sidecar's flag, argument and standard input all reach it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FROM_THE_SIDECAR
#error "the sidecar's flag is missing"
#endif

int main(int argc, char **argv)
{
    char line[80];
    if (argc != 2 || !fgets(line, sizeof line, stdin))
        abort();
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, argv[1]) != 0)
        abort();
    if (argc > 5)
        puts("never printed");
    puts(line);
    return 0;
}
