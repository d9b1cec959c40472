#include <stdio.h>

static int m;

static int f(int x)
{
    switch (x) {
    case 0:
    case 1: m++; break;
    case 2: { m++; } break;
    case 3: if (m > 3) { m++; break; }
    case 10 ... 12: m += 2;
    default: return 3;
    }
    goto a; b: m++; goto c; a: m += 2; if (m < 9) goto b; c: return m;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 13; i++) {
        s += f(i);
    }
    printf("%d %d\n", s, m);
    return 0;
}
