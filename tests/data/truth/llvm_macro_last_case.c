#include <stdio.h>

#define MAP(from, to) case from: return (to)

static int code(int ch)
{
    switch (ch) {
        MAP('a', 1);
        MAP('b', 2);
        MAP('c', 3);
    }
    return 0;
}

int main(void)
{
    int s = 0;
    for (const char *p = "abacxxc"; *p; p++)
        s = s * 4 + code(*p);
    printf("%d\n", s);
    return 0;
}
