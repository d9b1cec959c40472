#include <stdio.h>

int main(void)
{
    int odd = 0, all = 0;
    for (int i = 0; i < 9; i++) {
        if (i < 7) {
            {
                if (i % 2 == 0)
                    continue;
                odd++;
            }
            all += i;
        } else {
            {
                if (i == 8)
                    goto done;
                odd += 100;
            }
            all += 1000;
        }
    }
done:
    printf("%d %d\n", odd, all);
    return 0;
}
