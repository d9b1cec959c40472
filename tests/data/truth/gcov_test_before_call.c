#include <stdio.h>

static int is_space(int c)
{
    return c == ' ';
}

int main(void)
{
    const char *p = "ab cd";
    for (; *p &&
         !is_space(*p); p++)
        putchar(*p);
    puts("");
    return 0;
}
