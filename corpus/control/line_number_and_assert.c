/* Control: prints __LINE__ and __func__, uses assert, and lets __LINE__ steer a branch. */
#include <assert.h>
#include <stdio.h>

static int where(void)
{
    return __LINE__;
}

static int check(int n)
{
    assert(n >= 0);
    if (n > 50) {
        printf("large at %d\n", __LINE__);
        n = 50;
        assert(n == 50);
    }
    if (n == 13)
        goto unlucky;
    return n * 2;
unlucky:
    puts("unlucky");
    n = __LINE__;
    return n;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += check(i);
    printf("%s line %d, where %d\n", __func__, __LINE__, where());
    if (__LINE__ % 2)
        puts("odd line");
    else
        puts("even line");
    for (int i = __LINE__ - 5; i > 30; i -= 2)
        sum++;
    if (sum < 0) {
        printf("line %d\n", __LINE__);
        sum = 0;
        return 1;
    }
    assert(sum >= 20);
    printf("%d\n", sum);
    return 0;
}
