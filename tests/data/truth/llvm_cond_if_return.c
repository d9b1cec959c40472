#include <stdio.h>

static int pos, other;

static int look(int x)
{
    if (({ if (x > 3) return 9; x; }))
        pos++;
    else
        other++;
    other += 10;
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += look(i);
    printf("%d %d %d\n", r, pos, other);
    return 0;
}
