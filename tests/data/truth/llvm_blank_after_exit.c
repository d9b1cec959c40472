#include <stdio.h>
#include <stdlib.h>

#define SOMETHING 1

static int left;

static void quit(int code)
{
    if (code > 0)
        exit(code - 1);
    left++;
}

#define LOOP(x) do { if (x) { \
        left--; } } while (0)

static void work(int n)
{
    quit(n);
#if SOMETHING
    left += n;
#endif
    if (n)
        left += 3;
    LOOP(left > 100);
}

int main(void)
{
    for (int i = -4; i < 3; i++)
        work(i);
    printf("%d\n", left);
    return 0;
}
