#include <stdio.h>
#include <stdlib.h>

#define MAX(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })

static int cmps;

static int cmp(const void *a, const void *b)
{
    cmps = 1;
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int t[] = { 4, 1, 3, 2 };
    qsort(t, 4, sizeof *t, cmp);
    int top = 0;
    for (int i = 0; i < 4; i++) {
        int v = ({
            int w = t[i];
            if (w % 2)
                w *= 10;
            w;
        });
        top = MAX(top, v);
    }
    int z = ({ int q = 0; for (int i = 0; i < 3; i++) q += i; q; }) + MAX(top, 5);
    printf("%d %d %d\n", top, z, cmps);
    return 0;
}
