#include <stdio.h>
#include <stdlib.h>

static int digits_above(int limit, int n)
{
    int found = 0;
    for (limit > 0 ? (void)0 : abort(); n > limit; n /= 10)
        found++;
    return found;
}

int main(void)
{
    printf("%d\n", digits_above(9, 7));
    return 0;
}
