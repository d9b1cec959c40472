// expects: profiled
// Is another program from here on. libgcov and the sanitizers see it go.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    execl("/bin/true", "true", (char *)0);
    return 1;
}
