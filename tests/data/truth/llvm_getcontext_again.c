#include <stdio.h>
#include <ucontext.h>

static ucontext_t here;
static volatile int laps, seen;

int main(void)
{
    getcontext(&here);
    seen += 10;
    if (laps < 3)
    {
        laps++;
        setcontext(&here);
    }
    printf("%d %d\n", laps, seen);
    return 0;
}
