/* Exercises two functions that call each other, with dead guards before and after the calls. */
#include <stdio.h>

static int is_odd(int n);

static int is_even(int n)
{
    if (n < 0)
        n = -n;
    if (n == 0)
        return 1;
    return is_odd(n - 1);
    puts("after is_odd");
}

static int is_odd(int n)
{
    if (n == 0) return 0;
    if (n > 5000) {
        puts("too deep");
        n %= 2;
        return n;
    }
    int r = is_even(n - 1);
    if (r != 0 && r != 1) {
        printf("strange %d\n", r);
        r = 0;
    }
    return r;
}

static int ackermann(int m, int n)
{
    if (m > 3) {
        fputs("too slow\n", stderr);
        m = 3;
        n = 0;
    }
    if (m == 0)
        return n + 1;
    else if (n == 0)
        return ackermann(m - 1, 1);
    else
        return ackermann(m - 1,
                         ackermann(m, n - 1));
}

int main(void)
{
    int r = 0;
    r += is_even(10);
    r += is_odd(21) * 10;
    r += is_even(7) * 100;
    printf("%d\n", r);
    printf("%d\n", ackermann(2, 3));
    if (r != 11) {
        puts("parity is broken");
        r = is_odd(r);
        return r;
    }
    return 0;
}
