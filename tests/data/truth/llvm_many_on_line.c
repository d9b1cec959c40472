#include <stdio.h>

static int f(int x)
{
    int t = 0;
    if (x == 1) { t = 1; } if (x == 2) { t = 2; } else t = 4;
    for (int i = 0; i < x; i++) { if (i == 2) break; t++; } t += 2;
    if (x == 1) return t; t++;
    while (t > 3) { t--; } return t;
}

int main(void)
{
    int s = 0; for (int i = 0; i < 6; i++) { s += f(i); } printf("%d\n", s);
    if (s > 3) printf("a\n"); else printf("b\n");
    { s++; } { s++; } printf("%d\n", s); return 0;
}
