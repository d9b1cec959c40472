/* Exercises declarations between statements, in blocks, in for headers, and in code that never runs. */
#include <stdio.h>

static int score(int n)
{
    n += 1;
    int twice = n * 2;
    twice -= 3;
    const int limit = 50;
    if (twice > limit) {
        int excess = twice - limit;
        printf("excess %d\n", excess);
        int penalty = excess / 2;
        twice -= penalty;
        struct { int a; int b; } pair = { twice, penalty };
        return pair.a - pair.b;
    }
    int a = twice, b = a + 1, c = a * b;
    typedef int small;
    small d = c % 13;
    return d;
}

int main(void)
{
    puts("begin");
    int total = 0;
    for (int i = 0, j = 10; i < j; i++, j -= 2) {
        int product = i * j;
        total += product;
        int seen = total;
        if (seen < 0) {
            int wrapped = -seen;
            total = wrapped;
            puts("wrapped");
        }
    }
    printf("total %d\n", total);
    int more = score(5);
    more += score(9);
    {
        int total = more * 100;
        printf("inner %d\n", total);
    }
    if (more > 1000) {
        char text[] = "large";
        char *p = text;
        puts(p);
        more = 0;
    }
    enum { DONE = 4 } state = DONE;
    extern int puts(const char *);
    printf("outer %d %d %d\n", total, more, state);
    return 0;
}
