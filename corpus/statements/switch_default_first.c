/* Exercises switch whose default label is first, or in the middle. */
#include <stdio.h>

static int priority(char c)
{
    int p;
    switch (c)
    {
        default:
            p = 1;
            break;
        case '*':
        case '/':
            p = 3;
            break;
        case '+':
        case '-':
            p = 2;
            break;
        case '^':
            p = 4;
            puts("power operator");
            break;
    }
    return p;
}

static int in_the_middle(int n)
{
    int r = 0;
    switch (n)
    {
        case 1:
            r = 11;
            break;
        default:
            r = -1;
            puts("default in the middle");
        case 2:
            r += 22;
            break;
        case 3:
            r = 33;
            return r;
    }
    r++;
    return r;
}

int main(void)
{
    const char *expr = "a+b*c-d/e";
    int sum = 0;
    for (const char *p = expr; *p; p++)
        sum = sum * 2 + priority(*p);
    printf("%d\n", sum);
    sum = in_the_middle(1);
    sum += in_the_middle(2);
    switch (sum)
    {
        default: puts("unexpected"); sum = 0; break;
        case 35: puts("expected"); break;
    }
    printf("%d\n", sum);
    return 0;
}
