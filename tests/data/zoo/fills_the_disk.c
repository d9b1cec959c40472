// expects: profiled
// Writes small files, 200 MB together. Aborts if there was room.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static char block[1 << 16];

int main(void)
{
    for (int number = 0; number < 3200; number++) {
        char name[32];
        snprintf(name, sizeof name, "full-%d", number);
        FILE *file = fopen(name, "w");
        if (!file)
            return 0;
        size_t written = fwrite(block, 1, sizeof block - 1024, file);
        int closed = fclose(file);
        if (written < sizeof block - 1024 || closed != 0)
            return 0;
    }
    abort();
}
