// expects: profiled
// Reads from the terminal. Aborts if there is one.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>

int main(void)
{
    if (open("/dev/tty", O_RDWR) >= 0)
        abort();
    return 0;
}
