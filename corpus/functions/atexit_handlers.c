/* Exercises atexit handlers: registered in a loop, registered once, and never registered. */
#include <stdio.h>
#include <stdlib.h>

static int level;

static void count_down(void)
{
    printf("level %d\n", level);
    if (level == 0) {
        puts("already at zero");
        level = 10;
    }
    level--;
}

static void last_words(void)
{
    if (level != 0) {
        printf("left at %d\n", level);
        level = 0;
        return;
    }
    puts("all done");
}

static void forgotten(void)
{
    puts("forgotten");
    level = -1;
}

int main(void)
{
    if (atexit(last_words) != 0) {
        perror("atexit");
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        if (atexit(count_down)) {
            fprintf(stderr, "cannot register\n");
            atexit(forgotten);
            exit(2);
        }
        level++;
    }
    if (level > 3) {
        atexit(forgotten);
        puts("too many handlers");
    }
    printf("registered %d\n", level);
    exit(0);
    puts("after exit");
    level = 5;
    return 3;
}
