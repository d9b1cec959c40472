#include <stdlib.h>

static int ran;

int main(void)
{
    for (int i = 0; i < 3; i++)
        ran++;
    return EXIT_SUCCESS;
}
