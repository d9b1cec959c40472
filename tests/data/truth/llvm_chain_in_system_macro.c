#include <stdio.h>
#include <sys/time.h>

static int is_set(const struct timeval *time)
{
    if (timerisset(time))
        return 1;
    return 0;
}

int main(void)
{
    struct timeval none = { 0, 0 }, long_one = { 5, 0 }, short_one = { 0, 7 };

    if (is_set(&long_one) && timerisset(&short_one))
        puts("set");
    return is_set(&none) || is_set(&short_one) == 0;
}
