#include <stdlib.h>

extern int strcmp(const char *, const char *);

static int one(void)
{
    return 1;
}

int main(void)
{
    if (strcmp("same", "same") != 0)
        abort();
    if (one() != 1)
        abort();
    return 0;
}
