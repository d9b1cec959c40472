/* Dies if it gets half a gibibyte, which is more than the limit of this world. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (malloc(512u << 20))
        abort();
    if (argc > 5)
        puts("never printed");
    return 0;
}
