/* Control: the distance between two labels (GNU &&label) decides a loop count; dead code lies between them. */
#include <stdio.h>

static int spread(int n)
{
    long d = (char *)&&last - (char *)&&first;
    int turns = 0;

    if (n > 1000) {
        void *p = n % 2 ? &&first : &&last;
        puts("jump");
        goto *p;
    }
first:
    turns++;
    if (turns > 500) {
        puts("too many turns");
        turns = 0;
        n = 1;
        return n;
    }
    if (d < 0)
        d = -d;
    for (long i = 0; i < d % 300; i++)
        turns += i % 2;
    if (turns < 0) {
        puts("negative");
        turns = 1;
    }
last:
    printf("%ld %d\n", d, turns);
    return turns;
}

int main(void)
{
    int t = spread(1);
    if (t < 0) {
        puts("failed");
        goto fail;
    }
    return 0;
fail:
    t = 0;
    return 1;
}
