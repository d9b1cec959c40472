#include <stdio.h>

#define check(one, two)                    \
    do {                                   \
        int first = (one), second = (two); \
        if (first != second)               \
            printf("%d\n", first);         \
    } while (0)
#define check_sum(one, two) check(one, two)

static int add(const int *one, const int *two)
{
    return *one + *two;
}

int main(void)
{
    int two = 2;
    for (int i = 0; i < 5; i++)
        check_sum(add(&two,
                      &i), two + i);
    return 0;
}
