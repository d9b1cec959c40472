#include <stdio.h>

static int open_, closed;

static void release(int *h)
{
    closed += *h;
}

static int use(int x)
{
    __attribute__((cleanup(release))) int h = ++open_;
    if (x == 1)
        return h;
    for (int i = 0; i < x; i++) {
        __attribute__((cleanup(release))) int k = 100;
        if (i == 1)
            continue;
        if (i == 3)
            goto out;
        h += k / 50;
    }
out:
    return h;
}

int main(void)
{
    int s = 0;
    for (int x = 0; x < 6; x++)
        s += use(x);
    printf("%d %d %d\n", s, open_, closed);
    return 0;
}
