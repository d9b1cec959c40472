#include <stdio.h>
int main(void)
{
    int r, x = 0;
    for (r = 3; r--;)
    { x++; } if (x == 3) puts("a");
    for (r = 3; r--;)
    { x++; if (x < 0) x = 0; } if (x == 3) puts("a");
    for (;;) { for (r = 1; r--;)
    { x++; if (x < 0) x = 0; } if (x > 3) break; puts("a");
    }
    for (;;) { for (r = 1; r--;)
    { x++; if (x < 0) x = 0; } if (x > 3) break; while (++r < 6) { puts("a");
    } }
    return 0;
}
