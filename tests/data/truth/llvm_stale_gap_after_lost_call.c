#include <stdio.h>
#include <stdlib.h>
__attribute__((noreturn)) static void die(void) { exit(0); }
static int pick(int k)
{
    if (k > 1)
        die();
    return k;
}
static int calls;
static int parse(int k)
{
    int n = 0;
    switch (k) {
    case 0:
        n = pick(k + 1 + calls++);
        if (n < 0)
            die();
        break;
    case 5:
        n = 3;
        break;
    }
    return n;
}
int main(void)
{
    int s = parse(0) + parse(1);
    printf("%d\n", s + parse(0));
    return pick(2);
}
