#include <stdio.h>
int main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
    inner:
        for (int j = 0; j < 4; j++) {
            if (j == i)
                continue inner;
            if (j == 3)
                break inner;
            n++;
        }
        n += 10;
    }
    printf("%d\n", n);
    return 0;
}
