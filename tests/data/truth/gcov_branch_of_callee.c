#include <stdio.h>

static inline __attribute__((always_inline)) void prepare(int *table, int kind)
{
    if (*table != kind)
        *table = kind;
}

static int work(int *table, unsigned size)
{
    if (size < 4) {
        const int kind = 3;
        prepare(table, kind);
        return 1;
    } else {
        const int kind = ((sizeof(void *) == 4) && (size > 99)) ? 1 : 2;
        prepare(table, kind);
        return 2;
    }
}

int main(void)
{
    int table = 2, sum = 0;
    for (unsigned i = 0; i < 9; i++)
        sum += work(&table, i);
    printf("%d\n", sum);
    return 0;
}
