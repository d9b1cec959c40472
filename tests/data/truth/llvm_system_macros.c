#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>

static bool word(const char *s)
{
    assert(s != NULL);
    bool ok = true;
    for (; *s; s++)
        if (!isalpha((unsigned char)*s))
            ok = false;
    return ok;
}

int main(void)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(3, &set);
    errno = 0;
    int n = word("abc") + word("a1") * 2 + word("") * 4;
    assert(n < 8);
    n += FD_ISSET(3, &set) != 0;
    printf("%d %d\n", n, errno == EINVAL);
    return 0;
}
