/* Exercises a bracket checker over stdin, with a stack and several kinds of failure. */
#include <stdio.h>

#define MAX 8

static char partner(char c)
{
    switch (c)
    {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case '<': puts("angle bracket"); return '>';
    }
    return 0;
}

static int check(const char *line)
{
    char expected[MAX];
    int depth = 0, deepest = 0;

    for (const char *p = line; *p && *p != '\n'; p++)
    {
        if (*p == '(' || *p == '[' || *p == '{')
        {
            if (depth == MAX)
            {
                puts("too deep");
                return -1;
            }
            expected[depth++] = partner(*p);
            if (depth > deepest)
                deepest = depth;
        }
        else if (*p == ')' || *p == ']' || *p == '}')
        {
            if (depth == 0)
            {
                printf("unexpected %c\n", *p);
                return -2;
            }
            if (expected[--depth] != *p)
            {
                printf("expected %c, found %c\n", expected[depth], *p);
                goto mismatch;
            }
        }
    }
    if (depth > 0)
    {
        printf("%d not closed\n", depth);
        depth = 0;
        return -3;
    }
    return deepest;

mismatch:
    puts("mismatch");
    return -4;
}

int main(void)
{
    char line[256];
    int good = 0, bad = 0;

    while (fgets(line, sizeof line, stdin))
    {
        int r = check(line);
        if (r < 0) { bad++; continue; }
        good++;
        printf("depth %d\n", r);
        if (r > MAX) { puts("impossible depth"); return 9; }
    }
    printf("%d good, %d bad\n", good, bad);
    if (good + bad == 0) puts("no lines");
    return bad > 0;
}
