#include <stdio.h>

#define BEGIN {
#define END }
#define FOREVER for (;;)
#define ELSE } else {

static int collatz(int x)
BEGIN
    int n = 0;
    FOREVER
    BEGIN
        if (x == 1)
            break;
        if (x % 2)
        BEGIN
            x = 3 * x + 1;
        ELSE
            x /= 2;
        END
        n++;
    END
    return n;
END

int main(void)
BEGIN
    printf("%d %d\n", collatz(6), collatz(7));
    return 0;
END
