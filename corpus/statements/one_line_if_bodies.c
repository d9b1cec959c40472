/* Exercises if, else and loop bodies written on the line of their header. */
#include <stdio.h>

static int clamp(int v, int lo, int hi)
{
    if (v < lo) return lo;
    if (v > hi) return hi;
    return v;
}

static int parse(const char *s)
{
    int sign = 1, v = 0;
    if (!s) return -1;
    if (*s == '-') sign = -1, s++;
    else if (*s == '+') s++;
    else if (*s == '~') { puts("tilde"); s++; }
    while (*s) if (*s < '0' || *s > '9') { puts("bad digit"); return -2; } else v = v * 10 + (*s++ - '0');
    if (v > 100000) v = 100000; else if (v == 99999) puts("close");
    return sign * v;
}

int main(void)
{
    int r = 0, i;
    for (i = 0; i < 6; i++) if (i != 3) r += i; else r *= 2;
    for (i = 0; i < 6; i++) if (i == 9) r = 0;
    for (i = 3; i < 0; i++) puts("dead loop");
    while (r > 500) r -= 100;
    do r--; while (r > 12);
    if (r == 12) puts("twelve"); else puts("not twelve");
    if (r != 12) puts("wrong"); else { puts("right"); r++; }
    printf("%d %d\n", clamp(r, 0, 10), clamp(r, 5, 100));
    i = parse("-42");
    i += parse("+100");
    if (i != 58) return 1; else printf("parsed %d\n", i);
    if (i < 0) { i = 0; return 2; }
    if (i == 59) {
        puts("fifty-nine");
        if (r > 100) r = 100; else r++;
        i--;
        return 3;
    }
    return 0;
}
