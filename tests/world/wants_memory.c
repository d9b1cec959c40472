/* Aborts if it can allocate 512 MiB, which is more than the memory limit of this test. */
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
