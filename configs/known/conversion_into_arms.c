#include <stdio.h>

static double half(const int *list, int i)
{
    double half = 0.5 *
                  (i < 3 ? list[i] : i);
    return half;
}

int main(void)
{
    int list[] = { 1, 2, 3 };
    printf("%g\n", half(list, 0) + half(list, 1) + half(list, 4));
    return 0;
}
