#include <stdio.h>
#define TRY(e) do { if (!(e)) return -1; } while (0)
#define TWICE(s) do { s; s; } while (0)
#define ONCE while (0)
#define SKIP(s) if (0) { s; } else
#define LOOP(n, s) for (int q = 0; q < n; q++) s
#define EMPTY do { } while (0)
#define FOREVER while (1)
static int n;
static int f(int x)
{
    TRY(x < 3);
    do n++; ONCE;
    do
        n++;
    ONCE;
    TWICE(n++);
    TWICE(TWICE(n--));
    SKIP(n = 7)
        n += 2;
    LOOP(3, n++);
    LOOP(2,
        LOOP(2, n += q));
    while (0)
        n++;
    if (x == 2)
        EMPTY;
    else
        EMPTY;
    FOREVER {
        if (n++ % 4 == 0)
            break;
    }
    FOREVER
        if (n++ % 4 == 1)
            break;
    switch (x) {
    case 0: EMPTY; break;
    case 1: TWICE(n++); break;
    default: TRY(x > 5); }
    for (;;) { EMPTY; break; }
    return n;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += f(i);
    printf("%d %d\n", s, n);
    return 0;
}
