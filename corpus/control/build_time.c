/* Control: prints __DATE__ and __TIME__ and branches on them, so each build differs. */
#include <stdio.h>

static int digit_sum(const char *s)
{
    int sum = 0;
    if (!s) {
        puts("no text");
        sum = -1;
        return sum;
    }
    for (; *s; s++) {
        if (*s >= '0' && *s <= '9')
            sum += *s - '0';
        else if (*s == '?') {
            puts("unknown time");
            goto unknown;
        }
    }
    return sum;
unknown:
    sum = 0;
    return sum;
}

int main(void)
{
    int n = digit_sum(__TIME__) + digit_sum(__DATE__);
    int turns = 0;
    printf("built %s %s\n", __DATE__, __TIME__);
    while (n-- > 0)
        turns++;
    if (turns > 1000) {
        puts("too many");
        turns = 1000;
        return 1;
    }
    printf("%d\n", turns);
    return 0;
}
