#include <stdio.h>

static int kind(int c)
{
    int k = 0;
    if (c >= '0' && c <= '9') {
        k = 1;
    } else if (c == ' ') {
        return 9;
    } else if (c == '_') {
        k = 3;
    } else {
        k = 4;
    } k *= 2;
    if (k > 6) {
        k--;
    }
    else
    {
        k++;
    }
    return k;
}

int main(void)
{
    int s = 0;
    for (const char *p = "a1 _b2 "; *p; p++) {
        s = s * 2 + kind(*p);
    } printf("%d\n", s);
    return 0;
}
