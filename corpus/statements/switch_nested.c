/* Exercises a switch inside a case of another switch, with breaks at both levels. */
#include <stdio.h>

static int decode(int op, int mode)
{
    int cost = 0;

    switch (op) {
    case 0:
        switch (mode) {
        case 0:
            cost = 1;
            break;
        case 1:
            cost = 2;
            break;
        default:
            cost = 99;
            printf("bad mode %d\n", mode);
            break;
        }
        break;
    case 1:
        switch (mode) {
        case 0:
            cost = 3;
            puts("one, zero");
            break;
        case 1:
            cost = 4;
        }
        cost += 10;
        break;
    case 2: {
        int extra = mode * 2;
        switch (extra) {
        case 0:
            extra = 5;
            puts("no extra");
            break;
        default:
            cost = extra;
        }
        break;
    }
    default:
        switch (mode) {
        case 0: cost = -1; break;
        default: cost = -2; puts("worse"); break;
        }
        puts("bad op");
        return cost;
    }
    return cost;
}

int main(void)
{
    int sum = 0;
    sum += decode(0, 0);
    sum += decode(0, 1);
    sum += decode(1, 1);
    sum += decode(2, 3);
    printf("cost %d\n", sum);
    return sum == 23 ? 0 : 1;
}
