#include <stdio.h>
static int has(const char *s, int c) { while (*s && *s != c) s++; return *s != 0; }
#define HAS(s, c) _Generic(0 ? (s) : (void *)1, const void *: has(s, c), default: has(s, c))
int main(void)
{
    const char *s = "ab cd ; e";
    int w = 0;
    while (*s &&
           !(w && HAS(";", *s))) {
        w = *s == ' ';
        s++;
    }
    printf("%s\n", s);
    return 0;
}
