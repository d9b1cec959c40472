#include <stdio.h>

#define PAIR(num, type) ((num) * 4 + (type))
#define MISSING (-1)
#define ROW(name) { N_##name, #name }
#define SIZE(n) ((n) + 2)

enum { N_one = 1, N_two = 2 };

static const struct {
    int number;
    const char *name;
} rows[] = {
    ROW(one),
    ROW(two),
};

static int of(int num, int type)
{
    static int seen[SIZE(2)];
    seen[num & 3]++;
    switch (PAIR(num, type)) {
    case PAIR(1, 2):
        return seen[1];
    case PAIR(2, 3):
        return 2;
    default:
        break;
    }
    if (type > 5)
        return MISSING;
    return 0;
}

static int find(int x)
{
    switch (x) {
    case MISSING:
        return 7;
    default:
        return x;
    }
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += find(of(i & 3, i));
    for (int i = 0; i < 2; i++)
        sum += rows[i].number + rows[i].name[0] + SIZE(i);
    printf("%d\n", sum);
    return 0;
}
