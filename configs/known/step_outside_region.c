#include <stdio.h>

static int first(const int *list, int n)
{
    for (int i = 0; i < n;
         i++)
        return list[i];
    return 0;
}

int main(void)
{
    int list[] = { 3, 4, 5 };
    printf("%d\n", first(list, 3));
    return 0;
}
