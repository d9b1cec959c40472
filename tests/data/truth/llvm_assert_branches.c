#include <assert.h>

static int half(int n)
{
    assert(n > 0);
    return n / 2;
}

int main(void)
{
    int k = (int)sizeof((half(2) > 0) ? 1 : 0);
    return half(1) + half(2) + k - 5;
}
