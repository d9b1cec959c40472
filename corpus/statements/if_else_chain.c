/* Exercises if / else if / else chains in which some arms never run. */
#include <stdio.h>

static const char *grade(int points)
{
    const char *name;

    if (points < 0) {
        fprintf(stderr, "negative points\n");
        points = 0;
        name = "invalid";
    } else if (points < 40) {
        name = "fail";
    } else if (points < 60) {
        name = "pass";
    } else if (points < 80) {
        name = "merit";
    } else if (points <= 100) {
        name = "distinction";
    } else {
        points = 100;
        name = "too many";
        fputs("clamped\n", stderr);
    }
    return name;
}

static int bucket(int n)
{
    if (n == 1)
        return 10;
    else if (n == 2)
        return 20;
    else if (n == 3)
        return 30;
    else
        n = -n;
    n--;
    return n;
}

int main(void)
{
    int points[] = { 12, 45, 59, 60, 99, 100 };
    int total = 0;

    for (int i = 0; i < 6; i++) {
        const char *g = grade(points[i]);
        if (!g) {
            puts("no grade");
            total = -1;
            break;
        }
        printf("%d %s\n", points[i], g);
        total += points[i];
    }
    printf("total %d, buckets %d\n", total, bucket(1) + bucket(3));
    if (total > 1000)
        return 1;
    else
        return 0;
}
