#include <stdio.h>

#define LIMIT(x) ((x) > 3 ? 3 : (x))
#define NEXT do { if (++n > 9) return n; goto *table[n % 2]; } while (0)

static int count(int from)
{
    static void *table[] = {&&even, &&odd};
    int n = from;
even:
    NEXT;
odd:
    NEXT;
}

int main(void)
{
    int a = LIMIT(7), b = LIMIT(1) + LIMIT(2);
    printf("%d %d %d\n", a, b, count(0));
    return 0;
}
