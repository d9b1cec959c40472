#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int w;
    for (w = 0; w < 3; w++)
        if (w == 2 && (puts("done"), exit(0), 1))
            puts("never");
    w = w < 1 ? exit(1), 0 : 1;
    return w;
}
