#include <stdio.h>
#define IS(c, what) ((c) == (what))
#define IS_OPEN(c) IS((c), '(')
static int skip(const char *text, int nested)
{
    if (IS_OPEN(
            *text) && nested)
        return 1;
    return 0;
}
int main(void)
{
    int skipped = 0;
    for (int i = 0; i < 3; i++)
        skipped += skip("a", 1);
    printf("%d\n", skipped);
    return 0;
}
