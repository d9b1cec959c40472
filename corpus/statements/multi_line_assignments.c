/* Exercises assignments, returns and declarations that continue over several lines. */
#include <stdio.h>

static long weigh(long a, long b)
{
    if (a > 1000000)
        return
            a
            -
            b;
    return a * a
         + b * b
         + (a > b
            ? a - b
            : b - a);
}

static int last_digit(int n)
{
    int
        d
        =
        n % 10;
    if (n < 0) {
        d =
            -d;
        n = d
          + 1;
        return n
             * 2;
    }
    return
        d;
}

int main(void)
{
    long first = weigh(3, 4),
         second = weigh(10,
                        7),
         third;
    int values[4], i = 0;

    third = first
        + second;
    third +=
        1;
    values[i++] = (int)
        third;
    values[i++] =
        last_digit(
            (int)third
        );
    values
        [i++] = 7;
    values[i] = values[0]
              = values[1] + values[2];
    if (third < 0) {
        third
            = 0;
        values[0] =
        values[1] =
            0;
        printf("reset %d\n",
               values[1]);
    }
    if (i != 3) {
        puts("wrong index");
        i = 3;
        third = second
              - first;
        return 2;
    }
    printf("%ld %ld %ld\n", first, second, third);
    printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
    return third > 0
        ? 0
        : 1;
}
