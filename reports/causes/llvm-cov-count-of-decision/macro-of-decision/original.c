#include <stdio.h>
#include <sys/stat.h>

#define IS_FREE_FOLDER(mode) S_ISDIR(mode) && used == 0

static int used;

static int can_remove(unsigned mode)
{
    return IS_FREE_FOLDER(mode);
}

int main(void)
{
    printf("%d\n", can_remove(S_IFREG));
    used++;
    printf("%d\n", can_remove(S_IFREG));
    return 0;
}
