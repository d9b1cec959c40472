#include <stdio.h>

int main(void)
{
    int i, sum =
    0;
    for (i = 0; i
    < 3; i++)
        sum += i;
    if (
    sum == 0) { puts(
    "(empty)"); return 1; }
    printf("%d\n", sum);
    return 0;
}
