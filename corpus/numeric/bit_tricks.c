/* Exercises bit tricks checked against slow loops; the mismatch branches do not run. */
#include <stdio.h>
#include <stdint.h>

static int popcount_fast(uint32_t v)
{
    v = v - ((v >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return (int)((v * 0x01010101u) >> 24);
}

static int popcount_slow(uint32_t v)
{
    int n = 0;
    for (; v; v &= v - 1) n++;
    return n;
}

static int log2_floor(uint32_t v)
{
    int r = 0;
    if (v == 0) { puts("log of zero"); return -1; }
    if (v >= 1u << 16) { v >>= 16; r += 16; }
    if (v >= 1u << 8) { v >>= 8; r += 8; }
    if (v >= 1u << 4) { v >>= 4; r += 4; }
    if (v >= 1u << 2) { v >>= 2; r += 2; }
    if (v >= 1u << 1) r += 1;
    return r;
}

static uint32_t reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, v >>= 1)
        r = r << 1 | (v & 1);
    return r;
}

static uint32_t gray_decode(uint32_t g)
{
    uint32_t b = g;
    while (g >>= 1)
        b ^= g;
    return b;
}

int main(void)
{
    uint32_t v = 0x12345678u, mix = 0;

    for (int i = 0; i < 25; i++) {
        v = v * 1664525u + 1013904223u;
        if (popcount_fast(v) != popcount_slow(v)) {
            printf("popcount differs for %08x\n", (unsigned)v);
            mix = 0;
            goto wrong;
        }
        if (reverse(reverse(v)) != v) {
            puts("reverse");
            goto wrong;
        }
        if (gray_decode(v ^ v >> 1) != v) goto wrong;
        mix = mix * 31u + (uint32_t)log2_floor(v);
        if (v % 5 == 0) mix ^= reverse(v);
    }
    printf("%08x\n", (unsigned)mix);
    return 0;
wrong:
    puts("wrong");
    mix++;
    return 1;
}
