// expects: profiled
// Traces its parent. Aborts if it can.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/ptrace.h>

int main(void)
{
    if (ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0)
        abort();
    return 0;
}
