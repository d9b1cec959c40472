#include <stdio.h>
static int length(const char *text)
{
    for (;;) {
        if (*text++ == 0)
            return 1;
    }
}
static int last(const char *text)
{
    if (*text != 'z')
      {
        int found;
        for (found = *text; *text; found = *text++)
            continue;
        if (found == 'c')
            return 1;
      }
    return 0;
}
int main(void)
{
    printf("%d\n", last("abc") + last("z") + length("abc"));
    return 0;
}
