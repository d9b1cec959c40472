// expects: profiled
// Aborts if its environment has what recount was started with.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (getenv("RECOUNT_ZOO_SECRET") || getenv("HOME"))
        abort();
    return 0;
}
