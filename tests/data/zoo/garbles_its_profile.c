// expects: left no profile
// A child overwrites the profile when its parent has written it.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        usleep(60000);
        const char *folder = getenv("GCOV_PREFIX"), *file = getenv("LLVM_PROFILE_FILE");
        char path[4096];
        snprintf(path, sizeof path, "%s/p.gcda", folder ? folder : "..");
        FILE *profile = fopen(file ? file : path, "w");
        if (profile)
            for (int at = 0; at < 1000; at++)
                fputs("garbage ", profile);
        if (profile)
            fclose(profile);
        _exit(0);
    }
    return 0;
}
