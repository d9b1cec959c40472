#include <stddef.h>

struct t {
    char a[8];
};

static int sizes(int n)
{
    typedef int row[n];
    struct s {
        int x;
        char text[n + 1];
    };
    int (*p)[n > 2 ? 4 : 2] = NULL;
    char both[n > 2 ? n : 1][n > 1 ? 2 : 3];
    return sizeof(row) + sizeof(struct s) + sizeof(*p) + sizeof both;
}

static int parameter(int n,
                     int a[n > 2
                           ? n : 1])
{
    return a[0];
}

static int offset(int n)
{
    return offsetof(struct t, a[n > 2 ? 3 : 1]);
}

static _Bool is_set(_Complex double z)
{
    return z;
}

int main(void)
{
    int a[4] = { 1 };
    int sum = 0;
    for (int n = 1; n < 5; n++)
        sum += sizes(n) + parameter(n, a) + offset(n) + is_set(n);
    return sum == 0;
}
