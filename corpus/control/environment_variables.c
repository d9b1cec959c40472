/* Control: reads environment variables and counts them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char *get(const char *name)
{
    const char *v = getenv(name);
    if (name[0] == '\0') {
        puts("empty name");
        v = "";
        return v;
    }
    return v ? v : "(not set)";
}

int main(void)
{
    int count = 0;
    size_t bytes = 0;

    for (char **e = environ; e && *e; e++) {
        count++;
        bytes += strlen(*e);
        if (count > 100000) {
            puts("too many");
            goto stop;
        }
    }
    printf("%d variables, %zu bytes\n", count, bytes);
    printf("PATH %zu, HOME %s, GCOV_PREFIX %s, LLVM_PROFILE_FILE %s\n",
           strlen(get("PATH")), get("HOME"), get("GCOV_PREFIX"), get("LLVM_PROFILE_FILE"));
    if (getenv("RECOUNT_NO_SUCH_VARIABLE")) {
        puts("set after all");
        count = 0;
        return 1;
    }
    return 0;
stop:
    puts("stopped");
    return 2;
}
