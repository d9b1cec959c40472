/* Control: prints and counts bytes of a heap block that was never written. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char *old = malloc(256), *fresh;
    int set = 0;

    if (old == NULL) {
        puts("no memory");
        return 1;
    }
    for (int i = 0; i < 256; i++)
        old[i] = (unsigned char)((size_t)old >> (i % 24));
    free(old);

    fresh = malloc(256);
    if (!fresh) {
        fputs("no memory\n", stderr);
        set = -1;
        goto end;
    }
    for (int i = 0; i < 256; i++)
        if (fresh[i]) {
            set++;
            if (set > 256) {
                puts("impossible");
                set = 0;
                break;
            }
        }
    printf("%d set, first %u\n", set, (unsigned)fresh[0]);
end:
    free(fresh);
    return 0;
}
