/* Exercises goto out of two and three nested loops and out of a switch in a loop. */
#include <stdio.h>

#define N 6

int main(void)
{
    int grid[N][N];
    int x, y, z, visited = 0;

    for (y = 0; y < N; y++)
    {
        for (x = 0; x < N; x++)
        {
            grid[y][x] = (y * 7 + x * 3) % 11;
        }
    }

    for (y = 0; y < N; y++)
    {
        for (x = 0; x < N; x++)
        {
            visited++;
            if (grid[y][x] == 10)
                goto found;
        }
    }
    puts("not found");
    x = -1;
    y = -1;
found:
    printf("%d,%d after %d\n", x, y, visited);

    for (x = 1; x < 40; x++)
        for (y = x; y < 40; y++)
            for (z = y; z < 40; z++) {
                if (x * x + y * y == z * z && x + y + z == 60)
                    goto triple;
                switch (z - x) {
                case 100:
                    puts("impossible");
                    goto failed;
                }
            }
    puts("no triple");
    goto failed;

triple:
    printf("%d %d %d\n", x, y, z);
    return 0;

failed:
    fprintf(stderr, "failed\n");
    visited = 0;
    return 1;
}
