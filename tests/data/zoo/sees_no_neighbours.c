// expects: profiled
// Aborts if /proc shows it the processes of the machine.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <dirent.h>

int main(void)
{
    int others = 0;
    DIR *all = opendir("/proc");
    if (!all)
        return 0;
    for (struct dirent *one; (one = readdir(all));)
        others += one->d_name[0] > '0' && one->d_name[0] <= '9';
    if (geteuid() >= 0x70000000 && others > 8)
        abort();
    return 0;
}
