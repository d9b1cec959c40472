#include <stdio.h>
unreached(x)
{
    if (x > 7)
        return 1;
    goto start;
fail:
    return 2;
start:
    if (x > 100)
        goto fail;
    return 0;
}
main()
{
    int x = 0, i;
    for (i = 0; i < 10; i++)
        x += unreached(i);
    printf("%d\n", x);
    return 0;
}
