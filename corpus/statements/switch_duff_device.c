/* Exercises Duff's device: case labels inside a do-while inside a switch. */
#include <stdio.h>

static void copy_words(int *to, const int *from, int count)
{
    int n = (count + 3) / 4;

    if (count <= 0) {
        puts("nothing to copy");
        return;
    }
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

/* The same device on separate lines, with a guard that never triggers. */
static int sum_words(const int *from, int count)
{
    int total = 0;
    int n = (count + 1) / 2;

    switch (count % 2)
    {
    case 0:
        do
        {
            total += *from++;
            if (total > 100000)
            {
                puts("overflow");
                total = 0;
                goto out;
            }
    case 1:
            total += *from++;
        } while (--n > 0);
        break;
    default:
        puts("negative count");
        total = -1;
    }
out:
    return total;
}

int main(void)
{
    int source[11], target[11] = { 0 };
    for (int i = 0; i < 11; i++)
        source[i] = i * i;
    copy_words(target, source, 11);
    copy_words(target + 1, source, 9);
    printf("%d %d\n", sum_words(target, 11), sum_words(target, 8));
    if (target[10] != 100) {
        puts("copy failed");
        return 1;
    }
    return 0;
}
