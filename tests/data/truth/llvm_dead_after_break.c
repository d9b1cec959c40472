#include <stdio.h>

int main(void)
{
    int n = 0, m = 0;
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 4; j++) {
            if (j == i)
                continue;
            else
                n += j;
            break;
            m += 50;
        }
        m++;
    }
    printf("%d %d\n", n, m);
    return 0;
}
