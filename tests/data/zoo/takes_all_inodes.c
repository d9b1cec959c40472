// expects: profiled
// Makes 40,000 empty files. Aborts if there was room.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>

int main(void)
{
    for (int number = 0; number < 40000; number++) {
        char name[32];
        snprintf(name, sizeof name, "empty-%d", number);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0)
            return 0;
        close(file);
    }
    abort();
}
