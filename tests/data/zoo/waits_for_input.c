// expects: profiled
// Reads its input to the end.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    while (getchar() != EOF)
        ;
    return 0;
}
