#include <stdio.h>

static int five = 5;

static int both(int n)
{
    while (n-- > 0) {
        if (n < 3 && five > 4)
            break;
    }
    for (n = 6; n > 0; n--) {
        if (n < 2 && five > 4)
            break;
        else
            five++;
    }
    return n;
}

static int either(int n)
{
    puts("either");
    for (;;) {
        if (n < 3 ||
            five > 50) break;
        if (n < 1 || five > 60)
            continue;
        n--;
    }
    while (n++ < 9) {
        if (n > 5 && (n < 4 || five > 4)) {
            break;
        }
        if ((n < 2 || five > 60) && n < 0)
            break;
    }
    return n;
}

static int neither(int n)
{
    while (n-- > 0) {
        if (n > 3 || five > 60)
            five--;
        else
            break;
    }
    if (n == 3 || five > 60)
        goto out;
    five++;
out:
    return n;
}

int main(void)
{
    printf("%d\n", both(8));
    printf("%d\n", either(9));
    printf("%d\n", neither(9));
    return 0;
}
