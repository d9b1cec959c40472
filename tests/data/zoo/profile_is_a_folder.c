// expects: profiled
// Puts folders where its profile is written.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>

int main(void)
{
    const char *paths[] = {"../left/p.gcda", "../left/p.profraw", "../p.gcda", "../p.profraw"};
    for (unsigned at = 0; at < sizeof paths / sizeof *paths; at++) {
        unlink(paths[at]);
        if (mkdir(paths[at], 0777) == 0)
            abort();
    }
    return 0;
}
