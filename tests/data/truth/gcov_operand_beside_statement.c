#include <stdio.h>
static int a[20] = {1, 2, 1, 3, 1, 2};
int main(void)
{
    int n = 0, i = 0;
    do {
        if (a[i] != 1 ||
            a[i + 1] != 2) continue;
        n++;
    } while (++i < 10);
    for (i = 0; i < 10; i++) {
        int *p = a + i;
        if (*p != 1
            || *++p != 2)
            n--;
        while (p < a + 9 &&
               *p) p++;
    }
    printf("%d\n", n);
    return 0;
}
