#include <ctype.h>
#include <stdio.h>
static int number(const char *text)
{
    int length = 0;
    while (isdigit((unsigned char)
                       text[length]) && length < 9)
        length++;
    return length;
}
int main(void)
{
    printf("%d\n", number("12;") + number("x"));
    return 0;
}
