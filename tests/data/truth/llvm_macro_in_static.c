#include <stdio.h>

#define ROW(name) { N_##name, #name }
#define TWICE(n) ((n) * 2)

enum { N_one = 1, N_two = 2 };

struct row {
    int number;
    const char *name;
};

static int look(int x)
{
    static const struct row rows[] = { ROW(one), ROW(two) };
    static int sizes[TWICE(4)];
    struct row own = ROW(one);
    sizes[x & 7]++;
    if (x > 3)
        return TWICE(x);
    return rows[x & 1].number + own.name[0] + sizes[0];
}

static const int all[] = { TWICE(3), TWICE(4) };

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += look(i) + all[i & 1];
    printf("%d\n", sum);
    return 0;
}
