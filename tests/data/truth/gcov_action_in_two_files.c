#include <stdio.h>
static int reduce(int rule, int value)
{
    switch (rule) {
    case 1: /* the action of a parser generator */
#line 90 "rules.y"
        if (value > 3 && value < 9)
            value *= 2;
#line 10 "gcov_action_in_two_files.c"
        break;
    default:
        break;
    }
    return value;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += reduce(i % 2, i);
    printf("%d\n", sum);
    return 0;
}
