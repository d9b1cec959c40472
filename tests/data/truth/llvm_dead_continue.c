#include <stdio.h>

int main(void)
{
    int a = 0, b = 0;
    for (int i = 0; i < 8; i++) {
        switch (i % 3) {
        case 0:
            a++;
            break;
        default:
            continue;
            a = 100;
        }
        if (a > 50)
            break;
        continue;
        b++;
    }
    printf("%d %d\n", a, b);
    return 0;
}
