#include <stdio.h>
static int T(int v) { return v; }
int main(void)
{
    for (int i = 0; i < 3; i++) {
        const char *s = T(i) == 0 ? "a"
                       : T(i) == 1 ? "b"
                       : "c";
        puts(s);
    }
    return 0;
}
