#include <stdio.h>

static int sum;

#define CHOOSE(test, first, second) \
    if (test) {                     \
        first;                      \
    } else {                        \
        second;                     \
    }
#define ADD(value)       \
    sum += 100;          \
    CHOOSE(value > 2,    \
           sum += value, \
           sum++)
#define EACH(add)        \
    sum += 10000;        \
    add(1, sum += 1000)  \
    add(2, number > 5    \
               ? sum--   \
               : sum++)
#define WHEN(value, code) \
    if (kind == value) {  \
        code;             \
    }

static void count(int number, int kind)
{
    ADD(number);
    EACH(WHEN)
}

int main(void)
{
    for (int number = 0; number < 7; number++)
        count(number, number % 3);
    printf("%d\n", sum);
    return 0;
}
