#include <stdio.h>

static int n;

static int scan(const char *s)
{
    int k = 0;
    {
        do {
            if (*s == ',')
                break;
            k++;
        } while (*++s);
        n++;
    }
    n += 100;
    return k;
}

int main(void)
{
    int r = scan("ab,c") * 10;
    r += scan("xyz");
    printf("%d %d\n", r, n);
    return 0;
}
