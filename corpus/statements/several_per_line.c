/* Exercises several statements on one line, both live and dead. */
#include <stdio.h>

static int f(int x) { if (x < 0) { puts("neg"); return 0; } x *= 3; return x + 1; }
static int g(int x) { int r = 0; while (x > 0) { r += x; x--; } if (r > 999) { r = 999; } return r; }
static int h(int x) { puts("h"); x++; return x; }

int main(void)
{
    int a = 1, b = 2, c = 3; a += b; b += c; c += a;
    if (a > b) { puts("a"); a = b; } else { b -= a; c++; }
    for (int i = 0; i < 4; i++) { a += i; if (a > 1000) { puts("big"); break; } b ^= a; }
    if (a == 0) goto zero; else a--;
    if (b == 12345) { puts("b"); b = 0; } if (c > 0) { c *= 2; } if (c < 0) { puts("c"); c = 0; }
    switch (c & 3) { case 0: a++; break; case 1: puts("one"); a--; break; default: b++; b++; }
    do { a++; if (a < 0) { a = 0; puts("x"); } } while (a < 20); c += a; printf("%d %d %d\n", a, b, c);
    while (c > 1000) { c--; puts("dec"); } a = f(a); b = g(6);
    printf("%d ", a); printf("%d ", b); printf("%d\n", c);
    if (a < 0) { a = h(a); printf("%d\n", a); return 1; } if (b < 0) { puts("b<0"); return 2; } return 0;
zero: puts("zero"); a = 1; b = h(b);
    if (b > 10) { puts("b > 10"); b = 10; }
    a++; b++;
    b *= 2;
    puts("leaving");
    return a + b; }
