#include <stdlib.h>

#define REQUIRE(c) ((c) ? (void)0 : abort())

static int sum;

int main(void)
{
    REQUIRE(sum == 0);
    sum += 2;
    sum += 3;
    return sum != 5;
}
