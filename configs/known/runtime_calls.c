#include <stdio.h>

void free(void *memory)
{
    (void)memory;
}

int main(void)
{
    void *none = 0;
    free(none);
    printf("done\n");
    return 0;
}
