#include <stdio.h>

#define NEED(c) ({ if (!(c)) return -1; })

static int parse(const char *s)
{
    NEED(s[0] == '<');
    int len = 0;
    while (s[len + 1] && s[len + 1] != '>')
        len++;
    NEED(s[len + 1] == '>');
    printf("%d ", len);
    return len;
}

int main(void)
{
    const char *in[] = { "<ab>", "x", "<abc", "<>", "y", "z" };
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += parse(in[i]);
    printf("sum %d\n", sum);
    return 0;
}
