// expects: profiled
// Writes wherever a test can see it. Aborts if it could.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file)
        abort();
}

int main(void)
{
    touch("../p.c");
    touch("../recount-zoo");
    touch("../../recount-zoo");
    touch("/dev/shm/recount-zoo");
    touch("/var/tmp/recount-zoo");
    touch("/root/recount-zoo");
    touch("/etc/recount-zoo");
    return 0;
}
