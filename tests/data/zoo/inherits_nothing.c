// expects: profiled
// Aborts if a descriptor beyond the three is open.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>

int main(void)
{
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            abort();
    return 0;
}
