// expects: profiled
// Its grandchild would live for half a minute.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        if (fork() == 0) {
            sleep(30);
            _exit(0);
        }
        _exit(0);
    }
    return 0;
}
