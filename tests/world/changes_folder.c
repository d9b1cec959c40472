/* Ends in another folder than the one it was started in; its profile must be found all the same. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (chdir("/") != 0)
        puts("there is no root");
    return 0;
}
