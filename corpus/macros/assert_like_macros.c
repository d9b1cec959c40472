/* Exercises assert-like macros, our own and the standard one, none of which fails. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ENSURE(c) \
    ((c) ? (void)0 : ensure_failed(#c))
#define CHECK_EQ(a, b)                                   \
    do {                                                 \
        long a_ = (a), b_ = (b);                         \
        if (a_ != b_) {                                  \
            printf("%s is %ld, not %ld\n", #a, a_, b_);  \
            bad++;                                       \
        } else                                           \
            good++;                                      \
    } while (0)

static int good, bad;

static void ensure_failed(const char *what)
{
    fputs(what, stderr);
    fputs(" failed\n", stderr);
    exit(6);
}

static int isqrt(int n)
{
    assert(n >= 0);
    int r = 0;
    while ((r + 1) * (r + 1) <= n)
        r++;
    ENSURE(r * r <= n);
    if (r > 1000) {
        ENSURE(n > 1000000);
        puts("large root");
        assert(r < 46341);
    }
    return r;
}

int main(void)
{
    CHECK_EQ(isqrt(0), 0);
    CHECK_EQ(isqrt(15), 3);
    CHECK_EQ(isqrt(16), 4);
    CHECK_EQ(
        isqrt(99),
        9
    );
    assert(good + bad == 4
           && "every check is counted");
    if (bad) {
        printf("%d bad\n", bad);
        CHECK_EQ(bad, 0);
        return 1;
    }
    printf("%d good\n", good);
    return 0;
}
