#include <stdio.h>

#define RET(k, v) case k: return (v)
#define ADD(k, v) case k: n += (v); break
#define REST default

static int n;

static int f(int x)
{
    switch (x) {
        RET(1, 10);
        RET(2, 20);
    case 3:
        n++;
        break;
        ADD(4, 100);
        ADD(5, 200);
    REST:
        n += 1000;
    }
    return 0;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 9; i++)
        s += f(i % 6);
    printf("%d %d\n", s, n);
    return 0;
}
