#include <stdio.h>

static int kept;

static int drain(int n)
{
    int r = 0;
    do {
        if (n % 3 == 0)
            continue;
        kept++;
        r += n;
    } while (--n > 0);
    kept += 100;
    return r;
}

int main(void)
{
    int a = drain(5);
    int b = drain(1);
    printf("%d %d %d\n", a, b, kept);
    return 0;
}
