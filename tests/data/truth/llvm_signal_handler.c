#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t hits;

static void on_sig(int s)
{
    hits += s == 10 ? 1 : 0;
    signal(s, on_sig);
}

static void last(int s)
{
    printf("last %d\n", (int)hits);
    exit(s != 12);
}

int main(void)
{
    signal(10, on_sig);
    signal(12, last);
    for (int i = 0; i < 3; i++)
        raise(10);
    printf("hits %d\n", (int)hits);
    raise(12);
    hits = 0;
    printf("never\n");
    return 1;
}
