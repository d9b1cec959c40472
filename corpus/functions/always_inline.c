/* Exercises always_inline and noinline functions, called several times and in dead branches. */
#include <stdio.h>
#include <stdint.h>

#define FORCE static inline __attribute__((always_inline))

FORCE uint32_t rotate(uint32_t v, unsigned by)
{
    if (by == 0 || by > 31) {
        puts("no rotation");
        return v;
    }
    return v << by | v >> (32 - by);
}

FORCE uint32_t mix(uint32_t h, uint32_t k)
{
    k *= 0xcc9e2d51u;
    k = rotate(k, 15);
    h ^= k;
    h = rotate(h, 13);
    if (h == 0) {
        h = 1;
        puts("zero hash");
    }
    return h * 5 + 0xe6546b64u;
}

static __attribute__((noinline)) uint32_t finish(uint32_t h, int strict)
{
    h ^= h >> 16;
    if (strict) {
        h = mix(h, 1);
        h = rotate(h, 7);
        printf("strict %u\n", (unsigned)h);
    } else {
        h *= 0x85ebca6bu;
    }
    h ^= h >> 13;
    return h;
}

FORCE void never_used(int *p)
{
    *p += 1;
    puts("never used");
}

int main(void)
{
    uint32_t h = 42;
    for (uint32_t i = 0; i < 8; i++)
        h = mix(h, i * i);
    h = finish(h, 0);
    if (h % 2 > 1) {
        int n = 0;
        never_used(&n);
        return n;
    }
    printf("%08x\n", (unsigned)h);
    return 0;
}
