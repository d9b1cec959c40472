// expects: profiled
// Deletes and renames what it was built from. Aborts if it could.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (unlink("../p.c") == 0 || unlink("../p") == 0 || rename("../p.c", "../q.c") == 0)
        abort();
    if (rename("..", "../../elsewhere") == 0 || rmdir("../left") == 0)
        abort();
    return 0;
}
