#include <stdio.h>

#define NUMBER(n) n, #n
#define TWICE(n) ((n) * 2)

static int look(int x)
{
    static const struct {
        int number;
        const char *name;
    } rows[] = {
        { NUMBER(1) },
        { NUMBER(2) },
    };
    static int sizes[TWICE(4)];
    sizes[x & 7]++;
    if (x > 3)
        return TWICE(x);
    return rows[x & 1].number + rows[x & 1].name[0] + sizes[0];
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
