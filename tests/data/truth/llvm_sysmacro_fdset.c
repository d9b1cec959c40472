#include <stdio.h>
#include <sys/select.h>

int main(void)
{
    fd_set a;
    int n = 0;
    FD_ZERO(&a);
    for (int i = 0; i < 9; i++) {
        if (i > 5)
            break;
        FD_SET(i * 2, &a);
        n++;
        if (i == 3)
            goto next;
        FD_CLR(4, &a);
        n += 10;
    next:
        n += FD_ISSET(i, &a) ? 100 : 0;
    }
    printf("%d\n", n);
    return 0;
}
