#include <stdio.h>

static int odd(int n);

static int even(int n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}

static int odd(int n)
{
    return n && even(n - 1);
}

static int ack(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1,
               ack(m, n - 1));
}

int main(int argc, char **argv)
{
    static int depth;
    if (depth++ < 3)
        return main(argc, argv);
    printf("%d %d %d\n", even(7), ack(2, 2), depth);
    return 0;
}
