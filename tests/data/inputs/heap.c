/* A function that frees memory it must not free: the C library aborts. */
#include <stdlib.h>

int frees(int x)
{
    char here[32];
    char *volatile p = here + 4;
    if (x == 7)
        free(p);
    if (x > 1000)
        return 1;
    return 0;
}

int twice(int x)
{
    char *volatile p = malloc(16);
    free(p);
    if (x == 7)
        free(p);
    if (x > 1000)
        return 1;
    return 0;
}
