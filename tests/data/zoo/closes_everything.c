// expects: profiled
// Closes all descriptors.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int fd = 0; fd < 4096; fd++)
        close(fd);
    return 0;
}
