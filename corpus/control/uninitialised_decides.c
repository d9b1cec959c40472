/* Control: an uninitialised local decides branches and a loop count; stack garbage depends on dead declarations. */
#include <stdio.h>

static int leave_garbage(int n)
{
    volatile int pad[24];
    int sum = 0;
    for (int i = 0; i < 24; i++)
        pad[i] = n * 37 + i * i;
    if (n < 0) {
        int extra[10] = { 1, 2, 3 };
        puts("negative");
        sum = extra[2];
        pad[0] = sum;
    }
    for (int i = 0; i < 24; i++)
        sum += pad[i];
    return sum;
}

static int read_garbage(int n)
{
    int a;
    int filler[6];
    unsigned b;

    if (n > 50) {
        filler[0] = n;
        a = filler[0];
        printf("large %d\n", a);
        goto done;
    }
    if (a & 4)
        n++;
    else
        n += 2;
    for (unsigned i = 0; i < (b & 31); i++)
        n++;
done:
    return n;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += leave_garbage(i) & 1;
        sum += read_garbage(i);
    }
    if (sum < 0) {
        puts("negative sum");
        return 1;
    }
    puts("done");
    return 0;
}
