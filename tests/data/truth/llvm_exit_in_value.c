#include <stdio.h>
#include <stdlib.h>

static int week(int number)
{
    if (number > 1)
        exit(0);
    return number + 1;
}

static int bound(int number)
{
    for (int days = 0; days < 2; days++) {
        number += days;
    }
    return number;
}

int main(void)
{
    int number = 0;
    while (number < 10) {
        number = ({
            puts("week");
            week(number);
        });
        if (bound(number) > 5)
            break;
        puts("next week");
    }
    return 0;
}
