/* Exercises return statements in the middle of functions, with live and dead code after them. */
#include <stdio.h>
#include <string.h>

static int find(const char *s, char c)
{
    int i;
    if (s == NULL) {
        puts("null string");
        return -2;
    }
    for (i = 0; s[i]; i++) {
        if (s[i] == c)
            return i;
    }
    printf("%c is not in the string\n", c);
    return -1;
}

static int always_early(int x)
{
    if (x >= 0) {
        x *= 2;
        return x;
    }
    puts("after the early return");
    x = -x;
    x += 5;
    return x;
}

static void show(const char *s, int max)
{
    size_t n = strlen(s);
    if (n == 0) { puts("(empty)"); return; }
    if ((int)n > max) {
        printf("%.*s...\n", max, s);
        return;
    }
    printf("%s\n", s);
    return;
}

int main(void)
{
    show("short", 10);
    show("rather long text", 6);
    int at = find("hello", 'l');
    if (at < 0)
        return 1;
    printf("%d %d\n", at, always_early(21));
    if (at == 2)
        return 0;
    puts("unexpected place");
    at = 7;
    return at;
}
