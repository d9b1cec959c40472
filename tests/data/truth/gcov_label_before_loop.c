#include <stdio.h>
#include <string.h>

static int count(const char *at, int mode)
{
    const char *end = at + strlen(at);
    const char *found;
    int tries = 0;
    if (mode > 0) {
        if (mode != 1)
            goto again;
        while (tries < 4)
            tries++;
    }
again:
    found = memchr(at, 'b', (size_t)(end - at));
    if (!found)
        return tries;
    at = found + 1;
    tries++;
    goto again;
}

int main(void)
{
    printf("%d %d %d\n", count("abba!", 0), count("ab!", 1), count("b", 3));
    return 0;
}
