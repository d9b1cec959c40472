// expects: profiled
// Puts links where profiles and reports are looked for.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    const char *names[] = {"p.gcda", "p.profraw", "stdout", "stderr", "p.c"};
    for (unsigned at = 0; at < sizeof names / sizeof *names; at++) {
        char path[4096];
        if (symlink("/etc/passwd", names[at]) != 0)
            abort();
        snprintf(path, sizeof path, "../%s", names[at]);
        unlink(path);
        if (symlink("/etc/passwd", path) == 0)
            abort();
        snprintf(path, sizeof path, "../left/%s", names[at]);
        unlink(path);
        if (symlink("/etc/passwd", path) == 0)
            abort();
    }
    return 0;
}
