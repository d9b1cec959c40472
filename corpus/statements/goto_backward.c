/* Exercises loops made of backward gotos, including one whose retry never happens. */
#include <stdio.h>

int main(void)
{
    int i = 0, sum = 0;
    int tries = 0;
    unsigned seed = 17;

again:
    sum += i * i;
    i++;
    if (i < 8) goto again;
    printf("sum %d\n", sum);

retry:
    tries++;
    if (tries > 3) {
        puts("too many tries");
        return 3;
    }
    seed = seed * 1103515245u + 12345u;
    if (seed == 0) {
        puts("zero seed");
        seed = 1;
        goto retry;
    }
    if (tries == 1) goto retry;

    i = 30;
outer:
    if (i <= 0) goto finish;
inner:
    i -= 4;
    if (i % 3 == 0) goto outer;
    if (i < -100) {
        printf("ran away\n");
        goto broken;
    }
    if (i > 10) goto inner;
    i--;
    goto outer;

broken:
    i = 0;
    sum = 0;
finish:
    printf("i %d seed %u tries %d\n", i, seed % 1000u, tries);
    return 0;
}
