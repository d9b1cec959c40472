/* Exercises multi-line initialisers with computed elements, designators and nested braces. */
#include <stdio.h>

struct item {
    const char *name;
    int price;
    int stock[3];
};

static int tax(int price)
{
    if (price < 0)
    {
        puts("negative price");
        return 0;
    }
    return price / 5;
}

int main(void)
{
    int base = 20;
    struct item shop[] = {
        {
            .name = "pen",
            .price = base + tax(base),
            .stock = { 1, 2, 3 },
        },
        {
            .name = "book",
            .price = base * 5
                   + tax(base * 5),
            .stock = {
                [2] = base > 10 ? 4
                                : 5,
            },
        },
        { "lamp", 75, { [1] = 9 } },
    };
    int table[2][3] = {
        { base, base + 1, base + 2 },
        { 0 },
    };
    int value = 0;

    for (unsigned i = 0; i < sizeof shop / sizeof shop[0]; i++)
    {
        int count = shop[i].stock[0] +
                    shop[i].stock[1] +
                    shop[i].stock[2];
        if (count == 0)
        {
            struct item none = {
                .name = "none",
                .price = 0,
            };
            shop[i] = none;
            printf("%s is sold out\n", shop[i].name);
        }
        value += count * shop[i].price;
    }
    if (table[1][2] != 0)
    {
        int fix[] = {
            1,
            2,
        };
        table[1][2] = fix[1];
        value--;
    }
    printf("value %d, row %d\n", value, table[0][0] + table[0][2]);
    return 0;
}
