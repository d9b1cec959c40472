#include <stdio.h>

int main(void)
{
    int rounds = 0, steps = 0;
    for (int i = 0; i < 4; i++) {
        do
            steps++;
        while (({ if (steps % 3 == 0) break; steps % 4; }));
        rounds++;
    }
    rounds *= 10;
    printf("%d %d\n", rounds, steps);
    return 0;
}
