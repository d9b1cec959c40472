#include <stdio.h>
static int bad, n;
static const char *name(int k)
{
    switch (k) {
    case 1: return
        "one"; case 2: break;
    }
    return "other";
}
static int positive(int k)
{
    if (k < 2)
        goto out;
    return
        k; out: bad = 3; return bad;
}
static int even(int k)
{
    if (k < 2 || (k > 2 && k % 2
        == 0)) return 0;
    return 1;
}
static void down(int k)
{
    bad = 0;
    do { n++; if (k == 5)
        break; } while (--k > 0);
}
static void choose(int k)
{
    if (k & 2)
        n++; else other: n--;
    if (n == 1000) goto other;
}
static void select(int k)
{
    switch (k) {
    case 3: case 7:
        if (k > 4)
            break; case 2: n += 4; break;
    case 4: n++;
        break; case 5: {
        n += 2; } break;
    }
}
int main(void)
{
    for (int k = 0; k < 8; k++) {
        printf("%s %d %d\n", name(k), positive(k), even(k));
        down(k);
        choose(k);
        select(k);
    }
    return n == 0;
}
