/* Exercises switch with fallthrough between live and dead cases. */
#include <stdio.h>

int weight(int kind)
{
    int w = 0;
    switch (kind) {
    case 0:
        w += 1;
        /* fall through */
    case 1:
        w += 10;
        /* fall through */
    case 2:
        w += 100;
        break;
    case 3:
        w = -3;
        puts("kind three");
        /* fall through */
    case 4:
        w += 1000;
        break;
    case 5:
    case 6:
    case 7:
        w += 5;
        w *= 2;
        break;
    case 8: w = 8; puts("eight"); break;
    default:
        w = -1;
        fprintf(stderr, "unknown kind %d\n", kind);
        break;
    }
    return w;
}

static int days_left(int month)
{
    int d = 0;
    switch (month) {
    case 9:  d += 30;
    case 10: d += 31;
    case 11: d += 30;
    case 12: d += 31;
             return d;
    case 13: d = 1; d++;
    }
    puts("not in the last four months");
    return -d;
}

int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++)
        sum += weight(i);
    sum += weight(4);
    sum += weight(6);
    printf("sum %d\n", sum);
    printf("days %d %d\n", days_left(10), days_left(12));
    return 0;
}
