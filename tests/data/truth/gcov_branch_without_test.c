#include <stdlib.h>
static void release(int *box)
{
    *box = -1;
}
static int sum(int n)
{
    int i = 2, total = 0;
    goto inside;
    for (i = 0; i < n; i++) {
        total += 10;
inside:
        total += i;
    }
    return total;
}
static int leave(int n)
{
    int box __attribute__((cleanup(release))) = n;
    if (n == 1)
        return 7;
    box++;
    return box;
}
static int cost(int mode, int step)
{
    int c = 0;
    switch (mode) {
    case 1:
        c = 3;
        switch (step) {
        case 1:
            c = 4;
            break;
        case 2:
            c = 5;
            break;
        }
        break;
    default:
        c = 7;
    }
    return c;
}
int main(void)
{
    return sum(4) + leave(1) + leave(2) + cost(1, 2) + abs(cost(2, 0)) == 0;
}
