#include <errno.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (i % 3 == 0)
            continue;
        errno = i;
        sum += errno;
    }
    printf("%d\n", sum);
    return 0;
}
