#include <stdio.h>

#define CHECKED 0

static int get(const int *a, int i)
{
    int v = __builtin_choose_expr(CHECKED, ({ return -1; 0; }), a[i]);
    v++;
    return v;
}

int main(void)
{
    int a[] = { 5, 6, 7 };
    int s = 0;
    for (int i = 0; i < 3; i++)
        s = s * 10 + get(a, i);
    printf("%d\n", s);
    return 0;
}
