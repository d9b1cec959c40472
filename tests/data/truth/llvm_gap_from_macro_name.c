#include <ctype.h>
#include <stdio.h>

#define IS(c, what) ((c) == (what))
#define IS_OPEN(c) IS((c), '(')

static int opens(const char *text, int nested)
{
    if (IS_OPEN(
            *text) && nested)
        return 1;
    return IS(
        *text, ')') || nested;
}

static int number(const char *text)
{
    int length = 0;
    while (isdigit(
            text[length]) && length < 9)
        length++;
    return length;
}

int main(void)
{
    int sum = number("12;") + number("x");
    for (int i = 0; i < 3; i++)
        sum += opens(i ? "a" : "(", i > 1);
    printf("%d\n", sum);
    return 0;
}
