#include <stdio.h>

static int run(int n)
{
    int i = 0, s = 0;
    if (n > 2)
        goto middle;
    for (i = 0; i < 3; i++) {
        s++;
middle:
        s += 10;
        if (s > 45)
            goto out;
    }
    while (n > 0) {
        n--;
        if (n == 1)
            goto middle;
        s += 100;
    }
out:
    return s;
}

int main(void)
{
    int t = 0;
    for (int k = 0; k < 5; k++)
        t = t * 2 + run(k);
    printf("%d\n", t);
    return 0;
}
