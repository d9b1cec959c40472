#include <stdio.h>

#define EACH(i, n) for (int i = 0; i < (n); i++)
#define UNLESS(c) if (!(c))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM_TO(v, n) do { int k_ = 0; while (k_ < (n)) (v) += k_++; } while (0)

int main(void)
{
    int s = 0, top = 0;
    EACH(i, 4)
        s += i;
    EACH(i, 3) {
        UNLESS(i == 1)
            s += 10;
        top = MAX(top, s);
    }
    SUM_TO(s, 5);
    SUM_TO(top, 0);
    printf("%d %d\n", s, top);
    return 0;
}
