#include <stdlib.h>

static int hits;

static void groups(int a, int b, int c, int d)
{
    if (a ||
        (b && c) || d)
        hits++;
    if ((a && b) ||
        (c && d) || a)
        hits++;
    if ((a || b) &&
        (c || d) && a)
        hits++;
    if (!(a && b) &&
        !(c || d) && a)
        hits++;
}

int main(void)
{
    for (int i = 0; i < 16; i++)
        groups(i & 1, i & 2, i & 4, i & 8);
    for (int i = 0; i < 3; i++)
        __extension__ ({ if (i < 9) ; else abort(); });
    return hits == 0;
}
