#include <stdio.h>
#include <stdlib.h>

static int n;

__attribute__((noreturn)) static void stop(int code)
{
    printf("stop %d\n", n);
    exit(code);
}

static void need(int x)
{
    x < 4 ? (void)n++ : stop(0);
    n += 10;
    n += x;
}

int main(void)
{
    for (int i = 0; ; i++)
        need(i);
}
