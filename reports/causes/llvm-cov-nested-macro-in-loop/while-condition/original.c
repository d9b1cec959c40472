#include <stdio.h>

#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define IS_NUMBER(c) IS_DIGIT(c)

static int number(const char **text)
{
    int n = 0;
    while (IS_NUMBER(**text)) {
        n = 10 * n + (**text - '0');
        ++*text;
    }
    return n;
}

int main(void)
{
    const char *text = "123,45";
    int first = number(&text);
    ++text;
    printf("%d %d\n", first, number(&text));
    return 0;
}
