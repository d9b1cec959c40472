// expects: profiled
// Mounts, changes its root and its clock. Aborts if it can.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/time.h>

int main(void)
{
    struct timeval now;
    gettimeofday(&now, 0);
    if (mount("none", ".", "tmpfs", 0, 0) == 0 || chroot(".") == 0 || settimeofday(&now, 0) == 0)
        abort();
    return 0;
}
