/* Exercises static local variables: counters, one-time initialisation, statics in dead blocks. */
#include <stdio.h>

int ticket(void)
{
    static int next = 100;
    static int issued;
    issued++;
    if (issued > 50) {
        static int refusals = 0;
        refusals++;
        printf("refused %d\n", refusals);
        return -1;
    }
    return next++;
}

const char *spell(int n)
{
    static char buffer[16];
    static const char *const words[] = {
        "zero",
        "one",
        "two",
        "three",
    };
    static int ready = 0;
    if (!ready) {
        ready = 1;
        puts("ready");
    }
    if (n < 0) {
        static char minus[] = "minus";
        puts(minus);
        n = -n;
    }
    if (n < 4)
        return words[n];
    snprintf(buffer, sizeof buffer, "<%d>", n);
    return buffer;
}

int main(void)
{
    static int calls;
    int last = 0;
    for (calls = 0; calls < 5; calls++) {
        last = ticket();
        if (last < 0) {
            puts("no ticket");
            break;
        }
    }
    printf("%d %d\n", last, calls);
    printf("%s ", spell(2));
    printf("%s ", spell(3));
    printf("%s\n", spell(12));
    if (last != 104) {
        static int status = 3;
        status++;
        return status;
    }
    return 0;
}
