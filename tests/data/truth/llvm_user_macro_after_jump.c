#include <stdio.h>

#define KEEP last = i
#define YES 1
#define bit unsigned

int main(void)
{
    int last = -1, n = 0;
    for (int i = 0; i < 8; i++) {
        if (i % 3 == 0)
            continue;
        KEEP;
        n += YES;
        if (i > 6)
            break;
        bit b = YES;
        n += 10 * (int)b;
    }
    printf("%d %d\n", last, n);
    return 0;
}
