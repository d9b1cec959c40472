/* Exercises conditions of if, while, for and do spread over several lines. */
#include <stdio.h>

static int leap(int y)
{
    if (
        (y % 4 == 0 && y % 100 != 0)
        ||
        y % 400 == 0
    )
        return 1;
    return 0;
}

int main(void)
{
    int day = 1, month = 1, year = 2023;
    int n = 0;

    while (year < 2025
           || (year == 2025
               && month < 3))
    {
        if (month == 2
            && day == 29
            && !leap(year)) {
            puts("impossible date");
            day = 1;
            month = 3;
        }
        n++;
        day++;
        if (day > 31 ||
            (day > 30 && (month == 4 ||
                          month == 6 ||
                          month == 9 ||
                          month == 11)) ||
            (month == 2 && day > 28 + leap(year)))
        {
            day = 1;
            month++;
        }
        if (month
            >
            12)
        {
            month = 1;
            year++;
        }
    }
    printf("%d days\n", n);

    for (int i = 0, k = n;
         i < 10
         && k > 0;
         i++,
         k /= 2)
        n += k;
    do
        n -= 1000;
    while (n > 0
           && n != 777
           && n > 500);
    if (n < -5000
        || n == 123456) {
        puts("far too small");
        n = 0;
    } else if (n == 1
               && year == 0)
        puts("one");
    printf("%d\n", n);
    return 0;
}
