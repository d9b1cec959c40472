#include <stdio.h>
#include <sys/time.h>

static int late(int forced, struct timeval *time)
{
    return forced && timerisset(time);
}

int main(void)
{
    struct timeval none = { 0, 0 }, some = { 5, 0 };
    int found = late(0, &none) + late(1, &none);
    found += late(1, &some) + late(1, &some) + late(1, &some);
    printf("%d\n", found);
    return 0;
}
