#include <stdio.h>

int main(int argc, char **argv)
{
    (void) argv;
    if (
        argc == 0) { puts("no name"); return 1; }
    return 0;
}
