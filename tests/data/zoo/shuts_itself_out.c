// expects: profiled
// Leaves folders that nobody may enter.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>

int main(void)
{
    mkdir("closed", 0700);
    mkdir("closed/inner", 0700);
    FILE *file = fopen("closed/inner/file", "w");
    if (file)
        fclose(file);
    chmod("closed/inner", 0);
    chmod("closed", 0);
    chmod(".", 0);
    return 0;
}
