#include <stdio.h>

int main(void)
{
    int rows = 0, cells = 0;
    for (int i = 0; i < 4; i++) {
        int j = 0;
        while (({ if (j == i) break; j < 2; })) {
            cells++;
            j++;
        }
        rows++;
    }
    rows += 100;
    printf("%d %d\n", rows, cells);
    return 0;
}
