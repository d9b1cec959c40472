// expects: profiled
// Folders in folders, 1,000 deep.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>

int main(void)
{
    for (int depth = 0; depth < 1000; depth++)
        if (mkdir("deeper", 0700) != 0 || chdir("deeper") != 0)
            return 0;
    return 0;
}
