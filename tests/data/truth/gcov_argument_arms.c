#include <stddef.h>
#include <stdio.h>

typedef unsigned long long vli;

struct record {
    vli sum;
};

struct group {
    size_t last;
    struct record records[3];
};

struct stream {
    vli base, count, padding;
};

static vli size(vli base, vli sum, vli count, vli padding)
{
    return base + sum + count + padding;
}

static vli total(const struct group *g, const struct stream *s)
{
    return size(s->base,
            g == NULL ? 0 : g->records[g->last].sum,
            s->count,
            s->padding);
}

int main(void)
{
    struct group one = { 1, { { 1 }, { 2 }, { 3 } } };
    struct stream some = { 1, 2, 3 };
    vli sum = 0;
    for (int i = 0; i < 5; i++)
        sum += total(i == 0 ? NULL : &one, &some);
    printf("%llu\n", sum);
    return 0;
}
