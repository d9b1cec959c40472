#include <stdio.h>
#include <stdlib.h>

enum state { IDLE, BUSY, DONE };

static const char *names[] = { "idle", "busy", "done" };

static enum state next(enum state now)
{
    switch (now) {
    case IDLE:
        return BUSY;
    case BUSY:
        return DONE;
    default:
        return IDLE;
    }
}

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* What follows a do that is left by break shows 0 under clang before 20. */
static int keep(int limit)
{
    int n = 0, kept = 0;
    for (int i = 0; i < limit; i++) {
        do {
            if (i == 2)
                break;
            kept++;
        } while (0);
        n += 10;
    }
    return n + kept;
}

int main(int argc, char **argv)
{
    enum state state = IDLE;
    for (int i = 0; i < 5; i++) {
        printf("%s\n", names[state]);
        state = next(state);
    }
    if (argc > 3)
        puts(argv[3]);
    printf("%d %d\n", power(2, 10), abs(power(-3, 3)));
    printf("%d\n", keep(4));
    return 0;
}
