#include <stdio.h>
#include <unistd.h>

static int most(int i)
{
    return i > 1
               ? i
               : 1;
}

void main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += most(i);
    printf("%d %d %p\n", n, (int)getpid(), (void *)&n);
}
