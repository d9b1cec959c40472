/* Exercises __VA_ARGS__: forwarding, counting arguments, empty lists, statements as arguments. */
#include <stdio.h>

#define EMIT(...) (emitted += printf(__VA_ARGS__))
#define COUNT(...) COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, n, ...) n
#define SUM(...) sum_of((int[]){ __VA_ARGS__ }, COUNT(__VA_ARGS__))
#define WHEN(c, ...) do { if (c) { __VA_ARGS__ } } while (0)
#define ERROR(fmt, ...) fprintf(stderr, "error: " fmt "\n", ##__VA_ARGS__)
#define BLOCK(...) { __VA_ARGS__; }

static int emitted;

static int sum_of(const int *v, int n)
{
    int s = 0;
    WHEN(n > 4,
        puts("too many");
        n = 4;
    );
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}

int main(void)
{
    int s = SUM(1, 2, 3);
    s *= SUM(4, 5,
             6, 7);
    EMIT("%d\n", s);
    EMIT("no arguments\n");
    WHEN(s > 0, s++; s *= 2;);
    WHEN(s < 0, puts("negative"); s = 0; return 1;);
    WHEN(s == 266,
        s -= 6;
        EMIT("s is %d\n", s);
        if (s == 1) {
            ERROR("one");
            s = 2;
        }
    );
    BLOCK(s++, s += 2)
    if (s % 2 == 0) {
        ERROR("even");
        ERROR("%d is even", s);
        BLOCK(s = 1, s++)
        return s;
    }
    else if (emitted > 1000) {
        ERROR("%d of %d", emitted, 1000);
        emitted = 0;
    }
    printf("%d %d\n", s, emitted);
    return 0;
}
