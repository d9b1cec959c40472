// expects: profiled
// Asks for more of everything. Aborts if it gets it.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/resource.h>

int main(void)
{
    int all[] = {RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_CPU, RLIMIT_CORE};
    for (unsigned at = 0; at < sizeof all / sizeof *all; at++) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        if (setrlimit(all[at], &limit) == 0)
            abort();
    }
    return 0;
}
