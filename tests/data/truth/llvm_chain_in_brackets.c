#include <stdio.h>
#include <sys/time.h>

#define BOTH(a, b) ((a) && (b))
#define SET(t) timerisset(t)

static int count(struct timeval *a, struct timeval *b, int k)
{
    int n = 0;
    if ((timerisset(a)) && k)
        n++;
    if (!(timerisset(a)) || k)
        n++;
    if (SET(b) && k)
        n++;
    if (BOTH(timerisset(b), k))
        n++;
    if (k && (timerisset(a)))
        n++;
    if (k && !timerisset(b))
        n++;
    return n;
}

int main(void)
{
    struct timeval v[3] = { { 0, 0 }, { 1, 0 }, { 0, 5 } };
    int n = 0;
    for (int i = 0; i < 9; i++)
        n += count(&v[i % 3], &v[i / 3], i % 2);
    printf("%d\n", n);
    return 0;
}
