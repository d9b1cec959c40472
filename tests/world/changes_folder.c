/* Changes the working directory before it ends; its profile must be found nevertheless. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (chdir("/") != 0)
        puts("there is no root");
    return 0;
}
