#include <stdio.h>

static int hits;

static int probe(int x)
{
    int ok = x > 1 && ({ if (x > 3) return 7; x != 2; });
    hits += ok;
    hits += 10;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += probe(i);
    printf("%d %d\n", r, hits);
    return 0;
}
