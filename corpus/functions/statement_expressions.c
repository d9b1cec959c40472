/* Exercises GNU statement expressions, with control flow inside them and dead statements. */
#include <stdio.h>

#define MAX(a, b) ({ int a_ = (a); int b_ = (b); a_ > b_ ? a_ : b_; })

static int parse_digit(char c)
{
    return ({
        int v;
        if (c >= '0' && c <= '9')
            v = c - '0';
        else if (c == 'x') {
            puts("x is ten");
            v = 10;
        } else {
            printf("bad digit %c\n", c);
            v = -1;
        }
        v;
    });
}

static int check_sum(const char *s)
{
    int sum = 0;
    for (int i = 10; *s; s++, i--) {
        int d = ({
            int d = parse_digit(*s);
            if (d < 0)
                return -1;
            d;
        });
        sum += d * i;
        if (({ int r = sum % 1000; r == 999; })) {
            puts("999");
            sum++;
        }
    }
    return sum % 11;
}

int main(void)
{
    int n = check_sum("0306406152");
    int m = ({ int t = 0; for (int i = 0; i < 5; i++) t += i; t; });
    int k = n == 0 ? ({
        m++;
        m * 2;
    }) : ({
        puts("bad check sum");
        m--;
        m;
    });
    ({ k++; });
    if (k < 0)
        n = ({
            puts("negative");
            k = 0;
            5;
        });
    printf("%d %d %d %d\n", n, m, k, MAX(k, MAX(m, n)));
    return 0;
}
