#include <stdio.h>
#include <stdlib.h>

static int n;

__attribute__((noreturn)) static void die(const char *why)
{
    printf("%s %d\n", why, n);
    exit(0);
}

static int check(int x)
{
    if (x < 0)
        die("negative");
    n += x;
    if (x > 100) {
        die("large");
    } else {
        n++;
    }
    return n;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        check(i);
    check(500);
    die("unreached");
    return 7;
}
