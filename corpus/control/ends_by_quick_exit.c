/* Control: ends by quick_exit() from inside a loop, with handlers of both kinds registered. */
#include <stdio.h>
#include <stdlib.h>

static int turns;

static void quick(void)
{
    printf("quick after %d\n", turns);
    if (turns > 100) {
        puts("not so quick");
        turns = 100;
    }
    fflush(stdout);
}

static void slow(void)
{
    puts("slow");
    turns = -1;
}

int main(void)
{
    if (at_quick_exit(quick) || atexit(slow)) {
        puts("cannot register");
        goto end;
    }
    for (turns = 0; turns < 50; turns++) {
        if (turns == 7)
            quick_exit(0);
        if (turns == 20) {
            puts("twenty");
            turns += 2;
            continue;
        }
    }
    puts("loop ended");
end:
    turns = 0;
    return 1;
}
