/* Control: rand() without a seed; in practice the same sequence in every run, but the standard does not guarantee it. */
#include <stdio.h>
#include <stdlib.h>

static int die(void)
{
    int r = rand() % 6 + 1;
    if (r > 6 || r < 1) {
        puts("loaded die");
        r = 1;
        return 0;
    }
    return r;
}

int main(void)
{
    int counts[7] = { 0 };
    int rolls = 0;
    while (counts[6] < 5) {
        int r = die();
        if (r == 0) {
            fputs("cannot roll\n", stderr);
            goto stop;
        }
        counts[r]++;
        rolls++;
        if (rolls > 10000) { puts("no sixes"); return 1; }
    }
    if (counts[1] > counts[6])
        puts("more ones than sixes");
    fflush(stdout);
stop:
    printf("%d rolls\n", rolls);
    return 0;
}
