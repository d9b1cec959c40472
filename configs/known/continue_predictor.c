#include <stdio.h>
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
    printf("%d\n", last("abc") + last("z"));
    return 0;
}
