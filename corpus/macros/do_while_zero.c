/* Exercises do { } while (0) macros, on one line and over several, also as the unexecuted arm of an if. */
#include <stdio.h>
#include <stdlib.h>

#define ADD(sum, v) do { (sum) += (v); count++; } while (0)

#define REQUIRE(condition, message)             \
    do {                                        \
        if (!(condition)) {                     \
            fprintf(stderr, "%s\n", (message)); \
            failures++;                         \
        }                                       \
    } while (0)

#define FATAL(code)         \
    do {                    \
        puts("fatal");      \
        exit(code);         \
    } while (0)

static int count, failures;

static int total(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (v[i] < 0)
            FATAL(3);
        else
            ADD(sum, v[i]);
    REQUIRE(sum > 0, "sum is not positive");
    REQUIRE(n > 0
            && n < 100,
            "bad length");
    return sum;
}

int main(void)
{
    int v[] = { 3, 1, 4, 1, 5, 9 };
    int sum = total(v, 6);

    if (sum > 100)
        ADD(sum, -100);
    else if (sum == 50)
        FATAL(4);
    do {
        ADD(sum, 1);
        if (sum > 30)
            REQUIRE(0, "too far");
    } while (sum < 26);
    if (failures) {
        REQUIRE(0, "there were failures");
        printf("%d failures\n", failures);
        FATAL(5);
    }
    printf("%d %d\n", sum, count);
    return 0;
}
