/* Exercises degenerate switches: only a default label, an empty body, one case without braces, code before the first label. */
#include <stdio.h>

static int only_default(int x)
{
    switch (x) {
    default:
        x += 2;
        if (x > 1000) {
            x = 1000;
            puts("clamped");
        }
    }
    return x;
}

static int no_braces(int x)
{
    switch (x)
        case 7:
            x = 70;
    switch (x)
        default:
            x++;
    switch (x)
        case -1:
            return printf("minus one\n");
    return x;
}

static int before_labels(int x)
{
    switch (x) {
        int scratch;
        scratch = 5;
        printf("never printed %d\n", scratch);
    case 1:
        scratch = 1;
        x = scratch * 10;
        break;
    case 2:
        scratch = 2;
        x = scratch * 20;
        break;
    }
    return x;
}

int main(void)
{
    int calls = 0;
    switch (calls++) { }
    switch (calls)
        ;
    printf("%d %d\n", calls, only_default(40));
    printf("%d %d\n", no_braces(7), no_braces(8));
    printf("%d %d\n", before_labels(1), before_labels(5));
    if (calls != 1) {
        puts("operand evaluated twice");
        return calls;
    }
    return 0;
}
