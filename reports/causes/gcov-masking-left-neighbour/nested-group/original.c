#include <stdio.h>

static int opened = 1, cached, writable = 1;

static int may_write(int forced)
{
    if (forced || (opened && (cached || writable)))
        return 1;
    return 0;
}

int main(void)
{
    int written = 0;
    for (int retries = 0; retries < 3; retries++)
        written += may_write(0);
    printf("%d\n", written);
    return 0;
}
