#include <sys/param.h>
#include <stdio.h>

int main(void)
{
    int first = 0, second = 2, third = 0;
    do {
        do
            second = 2;
        while (++first < 3 && MAX(second > 1,
                                  third));
    } while (first < 3);
    printf("%d %d\n", first, third);
    return 0;
}
