#include <stdio.h>
#include <stddef.h>
static const char *name(int k) {
    if (k == 1)
        return NULL;
    if (k == 2)
        return k > 5 ?
            "big" :
            NULL;
    return "none";
}
int main(void) {
    int n = 0;
    for (int k = 0; k < 3; k++)
        n += name(k) ==
             NULL;
    printf("%d\n", n);
    return 0;
}
