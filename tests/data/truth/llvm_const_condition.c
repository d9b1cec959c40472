#include <stdio.h>
#include <string.h>

static const int limit = 3;

int main(void)
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (limit == 3)
            n++;
        if (strlen("abc") == 3)
            n++;
        if (i > 1 && limit > 2)
            n++;
    }
    printf("%d\n", n);
    return 0;
}
