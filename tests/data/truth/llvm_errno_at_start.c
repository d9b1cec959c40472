#include <errno.h>
#include <stdio.h>
int main(void)
{
    if (errno)
        puts("errno is set");
    return 0;
}
