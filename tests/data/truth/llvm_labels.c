#include <stdio.h>

static int f(int n) {
    __label__ top, done;
    int r = 0;
top:
    r++;
    if (n > 10) goto done;
    n += r;
    if (n % 2)
        goto odd;
    n++;
    goto top;
odd: n += 3;
    {
        if (n < 6)
            goto top;
    }
    goto top;
done:;
    int k = r * 100;
    return k + n;
}

static int g(int n) {
    if (n > 2)
        return 2;
    else
        goto low;
low:
    n++;
unused: __attribute__((unused));
    return n;
}

int main(void)
{
    printf("%d %d %d %d\n", f(0), f(7), f(50), g(1) + g(9));
    return 0;
}
