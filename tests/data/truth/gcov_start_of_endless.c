#include <stdio.h>

#ifdef CHECK
#define check(test) ((test) ? (void)0 : __builtin_trap())
#else
#define check(test) ((void)0)
#endif

int main(void)
{
    int turns = 0, sum = 0;
    for (int round = 0; round < 2; round++) {
        while (1) {
            check(turns < 100);
            turns++;
            if (turns % 4 == 0)
                break;
            sum += turns;
        }
    }
    for (;;)
    {
        {
            check(sum > 0);
        }
        sum--;
        if (sum < 5)
            break;
    }
    printf("%d %d\n", turns, sum);
    return 0;
}
