#include <stdio.h>
#include <errno.h>
int main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        errno = i;
        n += i == 0 ? 5
             : errno == 2 ? 6
             : 7;
    }
    printf("%d\n", n);
    return 0;
}
