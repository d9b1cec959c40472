#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static int classify(int number)
{
    int found = 0;
    if (({ if (number > 1) longjmp(back, 1); number; }))
        found++;
    else
        found--;
    return found;
}

static void attempt(int number)
{
    if (!setjmp(back))
        printf("%d\n", classify(number));
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        attempt(i);
    return 0;
}
