#include <stdio.h>
#include <string.h>
static void show(int a, int b) { printf("%d %d\n", a, b); }
static int next(void) { static int k; return ++k; }
int main(void) {
    for (int i = 0; i < 3; i++) {
        show(
             i ? next() : 0,
             strlen("abc") > 2 ? 1 : 2);
    }
    return 0;
}
