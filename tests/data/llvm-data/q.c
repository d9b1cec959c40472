/* A second module, which only contains a placeholder for `twice`. */
#include "shared.h"

int other(int n)
{
    while (n > 3)
        n -= 3;
    return n;
}
