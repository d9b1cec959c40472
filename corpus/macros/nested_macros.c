/* Exercises macros that expand to other macros, three levels deep, with conditions at each level. */
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define LOG(level, ...) do { if ((level) <= verbosity) printf(__VA_ARGS__); } while (0)
#define WARN(...) LOG(1, __VA_ARGS__)
#define DEBUG(...) LOG(3, __VA_ARGS__)
#define GUARD(c, action) do { if (!(c)) { WARN("guard %s\n", #c); action; } } while (0)
#define GUARD_ZERO(x) GUARD((x) == 0, (x) = 0)

static int verbosity = 1;

static int mean(const int *v, int n)
{
    int sum = 0;
    GUARD(n > 0, return -1);
    for (int i = 0; i < n; i++) {
        DEBUG("item %d is %d\n", i, v[i]);
        sum += CLAMP(v[i], 0, 50);
        GUARD(sum < 1000, break);
    }
    return sum / n;
}

int main(void)
{
    int v[] = { 10, 70, -5, 33 };
    int m = mean(v, 4);
    int rest = 0;

    WARN("mean %d\n", m);
    GUARD_ZERO(rest);
    if (m > 100) {
        WARN("large mean\n");
        GUARD_ZERO(m);
        DEBUG("now %d\n", m);
    }
    m = CLAMP(MAX(m, MIN(v[0], v[3])),
              1,
              CLAMP(rest, 30, 40));
    if (verbosity > 2) {
        DEBUG("verbose\n");
        verbosity--;
    } else
        DEBUG("quiet\n");
    printf("%d %d\n", m, rest);
    return 0;
}
