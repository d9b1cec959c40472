#include <stdio.h>

int main(void)
{
    int outer = 0, inner = 0, i = 0;
    while (i < 5) {
        i++;
        for (int j = 0; ({ if (j + i == 4) break; j < 2; }); j++)
            inner++;
        outer++;
        outer += i;
    }
    outer += 1000;
    printf("%d %d\n", outer, inner);
    return 0;
}
