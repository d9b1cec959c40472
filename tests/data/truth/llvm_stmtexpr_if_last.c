#include <stdio.h>

static int done;

static int check(int x)
{
    ({ if (x > 2) return 1; });
    done++;
    done += x;
    return 0;
}

int main(void)
{
    int bad = 0;
    for (int i = 0; i < 7; i++)
        bad += check(i);
    printf("%d %d\n", bad, done);
    return 0;
}
