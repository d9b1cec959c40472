/* Control: plain statements after return, exit-like calls, break, continue and goto. */
#include <stdio.h>
#include <stdlib.h>

static int after_return(int n)
{
    n++;
    return n;
    n = 0;
    puts("after return");
    return -1;
}

static int after_loop(int n)
{
    n++;
    for (;;) {
        n += 2;
        if (n > 10)
            break;
    }
    return n;
}

static int after_goto(int n)
{
    goto out;
    n *= 3;
    if (n > 5)
        puts("after goto");
out:
    return n;
}

static int after_both(int n)
{
    if (n > 0) {
        return 1;
    } else {
        return 2;
    }
    puts("after both");
    n = 5;
    return n;
}

int main(void)
{
    int sum = after_return(1);
    sum += after_loop(1);
    sum += after_goto(1);
    sum += after_both(1);
    if (sum > 100) {
        puts("too large");
        sum = 100;
        goto large;
    }
    printf("%d\n", sum);
    exit(0);
    puts("after exit");
    sum = 0;
    return sum;
large:
    puts("large");
    return 1;
}
