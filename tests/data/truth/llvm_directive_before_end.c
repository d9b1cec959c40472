#include <stdio.h>

#define BELOW(x, y) ((x) < (y))
#define GOES_ON(x) BELOW(x, 13)

int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += i
#ifdef UNKNOWN
            + 1
#endif
            ;
    while (GOES_ON(s))
        s++;
    printf("%d\n", s);
    return 0;
}
