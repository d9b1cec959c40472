#include <stdlib.h>
static int f(int k)
{
    int r = 0;
    if (({ if (k > 1) exit(0); k; }))
        r++;
    else
        r--;
    return r;
}
int main(void)
{
    for (int k = 0; k < 3; k++)
        f(k);
    return 1;
}
