// expects: profiled
// Deletes every profile that it can find. Aborts if it could.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char path[4096];
    const char *folder = getenv("GCOV_PREFIX");
    snprintf(path, sizeof path, "%s/p.gcda", folder ? folder : "..");
    if (unlink(path) == 0)
        abort();
    const char *file = getenv("LLVM_PROFILE_FILE");
    if (file && unlink(file) == 0)
        abort();
    return 0;
}
