#include <stdio.h>
#define DEBUG 0
static int n;
static void first(int a)
{
    do { if (a) {
        n++;
    } else { n += 7; } } while (0);
    n++;
}
static void second(int a)
{
    if (a)
        n++;
    else { n += 2; } if (!DEBUG && 0) n = 0;
    if (a > 1)
        n++;
    else { n += 2; } if (0 && a) n = 0;
    if (a > 2)
        n++;
    else { n += 2; } if (sizeof n == 8) n = 0;
    n++;
}
int main(void)
{
    for (int i = 0; i < 4; i++) {
        first(i);
        second(i);
    }
    printf("%d\n", n);
    return 0;
}
