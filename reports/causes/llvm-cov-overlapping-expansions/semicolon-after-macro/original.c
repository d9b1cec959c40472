#include <stdio.h>
#define REEXECUTE() \
  goto again;
static int f(int x)
{
    int n = 0;
again:
    switch (x) {
    case 0:
        if (n == 0) {
            n++;
            x = 1;
            REEXECUTE();
        }
        break;
    case 1: {
        n += 2;
        x = 2;
        REEXECUTE();
    }
    case 2:
        n += 4;
        break;
    default:
        n = 9;
        goto out;
    }
    n++;
out:
    return n;
}
int main(void)
{
    printf("%d %d\n", f(0), f(3));
    return 0;
}
