#include <stdio.h>

static int empty_last_label(int x)
{
    int r = 0;
    switch (x) { case 1: r++; break; case 2: r += 2;
        case 3: r += 3; break; default: ; }
    return r;
}

static int one(void) { return 1; }

static int chosen_by_constant(int x)
{
    int a = 0 ?
        empty_last_label(x) :
        one();
    return a;
}

int main(void)
{
    int sum = 0;
    for (int x = 0; x < 7; x++)
        sum += empty_last_label(x) + chosen_by_constant(x);
    printf("%d\n", sum);
    return 0;
}
