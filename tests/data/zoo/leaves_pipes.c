// expects: profiled
// Leaves FIFOs wherever somebody may open a file, and its profile as one.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>

int main(void)
{
    mkfifo("stdout", 0666);
    mkfifo("p.gcda", 0666);
    const char *paths[] = {"../left/p.gcda", "../left/p.profraw", "../stdout"};
    for (unsigned at = 0; at < sizeof paths / sizeof *paths; at++) {
        unlink(paths[at]);
        if (mkfifo(paths[at], 0666) == 0)
            abort();
    }
    return 0;
}
