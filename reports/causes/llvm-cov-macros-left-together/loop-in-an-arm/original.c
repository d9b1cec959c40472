#include <stdio.h>

#define FIRST_FREE(slots) ((slots)[0] ? 1 : 0)
#define FOR_EACH_FREE(i, slots) for (i = FIRST_FREE(slots); i < 4; i++)

static int reclaim(const int *slots, int is_full)
{
    int i, reclaimed = 0;
    if (is_full)
        FOR_EACH_FREE(i, slots)
            reclaimed += slots[i];
    return reclaimed;
}

int main(void)
{
    int slots[4] = { 0, 2, 3, 4 };
    for (int round = 0; round < 5; round++)
        slots[0] += reclaim(slots, 0);
    printf("%d\n", slots[0]);
    return 0;
}
