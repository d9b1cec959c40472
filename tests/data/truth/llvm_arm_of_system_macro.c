#include <stddef.h>

static const char *after(const char *text, int length)
{
    const char *end = text == NULL ? NULL :
        text + length;
    return end;
}

int main(void)
{
    int found = 0;
    for (int i = 0; i < 10; i++)
        found += after(i < 8 ? NULL : "abc", 3) != NULL;
    return found != 2;
}
