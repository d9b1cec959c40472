#include <stdio.h>
#define ADD(x) (n += (x))
#define NOTHING(x)
#define CALL(f, x) do { f(x); } while (0)

static int n;

static int add(int x)
{
    return ADD(x);
}

static int run(int k)
{
    if (k > 5)
        ADD(1 +
            add(k));
    if (k > 5) {
        ADD(1 +
            add(k));
    }
    for (int i = 0; i < 3; i++)
        ADD(add(i) +
            1);
    while (n > 900)
        CALL(add,
             n);
    for (int i = 0; i < 3; i++)
        NOTHING(add(n) +
            1);
    if (k == 1 && ADD(add(1) +
            add(2)))
        n++;
    n = k > 5 ? 1 :
        ADD(
            add(3)
        );
    return ADD(add(2) +
        add(3));
}

int main(void)
{
    int r = 0;
    for (int i = 0; i < 2; i++)
        r += run(i);
    printf("%d %d\n", r, n);
    return 0;
}
