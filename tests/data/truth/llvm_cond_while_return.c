#include <stdio.h>

static int after;

static int find(const char *s, char c)
{
    int n = 0;
    while (({ if (s[n] == c) return n; s[n] != 0; }))
        n++;
    after++;
    after += n;
    return -1;
}

int main(void)
{
    int r = find("hello", 'l');
    r = r * 10 + find("abc", 'z');
    r = r * 10 + find("quux", 'q');
    printf("%d %d\n", r, after);
    return 0;
}
