#include <stdio.h>

static int classify(int n)
{
    static void *const places[] = { &&low, &&high, &&unused };
    int place = n > 10;
    printf("%d of %zu places\n", place, sizeof places / sizeof *places);
    if (place == 0)
        goto low;
    goto high;
unused:
    puts("unused");
    return -1;
low:
    puts("low");
    return 0;
high:
    puts("high");
    return 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 5; i < 20; i += 5)
        sum += classify(i);
    return sum != 1;
}
