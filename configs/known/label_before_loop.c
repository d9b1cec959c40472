#include <stdio.h>
#include <string.h>
static int count(const char *at, int mode)
{
    const char *end = at + strlen(at);
    int n = mode;
    if (mode > 0) {
        if (mode != 1)
            goto again;
        n++;
    }
again:
    at = memchr(at, 'b', (size_t)(end - at));
    if (!at)
        return n;
    at++;
    n++;
    goto again;
}
int main(void)
{
    printf("%d %d %d\n", count("abba", 0), count("ab", 1), count("b", 3));
    return 0;
}
