#include <stdio.h>

static int size(int n)
{
    return n;
}

static int in_do(int n)
{
    int sum = 0;
    do {
        int a[size(3)];
        a[0] = n;
        if (n == 2)
            break;
        sum += a[0];
    } while (--n);
    return sum;
}

static int in_arm(int n)
{
    if (n & 1) {
        int a[size(2)];
        a[1] = n;
        return a[1];
    } else {
        int b[size(4)];
        b[2] = n;
        return b[2];
    }
}

int main(void)
{
    printf("%d %d %d\n", in_do(5), in_do(1), in_arm(3) + in_arm(2) + in_arm(1));
    return 0;
}
