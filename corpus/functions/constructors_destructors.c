/* Exercises constructor and destructor functions, with dead branches inside them. */
#include <stdio.h>

static int started[3];
static int stops;

__attribute__((constructor(101)))
static void first_start(void)
{
    started[0] = 1;
    if (started[1]) {
        puts("wrong order");
        started[2] = -1;
    }
}

__attribute__((constructor(102)))
static void second_start(void)
{
    started[1] = started[0] + 1;
    for (int i = 0; i < started[0]; i++)
        started[2] += 10;
    if (started[2] != 10) {
        puts("bad total");
        started[2] = 10;
    }
}

__attribute__((destructor))
static void at_the_end(void)
{
    stops++;
    printf("stopped %d\n", stops);
    if (stops > 1) {
        puts("stopped twice");
        stops = 0;
    }
}

static void never_a_constructor(void)
{
    puts("not a constructor");
    started[0] = 99;
}

int main(void)
{
    printf("%d %d %d\n", started[0], started[1], started[2]);
    if (!started[0]) {
        never_a_constructor();
        puts("constructors did not run");
        return 1;
    }
    return 0;
}
