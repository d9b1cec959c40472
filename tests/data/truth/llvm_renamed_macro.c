#include <stdio.h>

static int sum;

#define WHEN(test, code) \
    if (test) {          \
        code;            \
    }
#define IF WHEN
#define NAME(macro) macro

static void count(int number)
{
    IF(number,
       sum++);
    NAME(IF)(number > 1,
             sum +=
                 2);
    IF(number
           && sum,
       sum++;
       sum--);
}

int main(void)
{
    for (int number = 0; number < 3; number++)
        count(number);
    printf("%d\n", sum);
    return 0;
}
