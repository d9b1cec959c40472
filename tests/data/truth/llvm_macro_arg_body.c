#include <stdio.h>

#define LOCKED(...) do { locks++; __VA_ARGS__ locks--; } while (0)

static int locks, work;

static int job(int x)
{
    LOCKED(
        if (x > 3)
            return locks;
        work++;
        while (x < 2)
            x++;
        work += x;
    );
    return 0;
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 6; i++)
        r += job(i);
    printf("%d %d %d\n", r, work, locks);
    return 0;
}
