#include <stdio.h>

#define ADD(k, v) case k: sum += (v)

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        switch (i) {
        case 0:
            sum = 5;
            break;
        ADD(2, 10);
            break;
        ADD(6, 100);
        }
        sum++;
    }
    printf("%d\n", sum);
    return 0;
}
