/* Control: a hash table keyed by pointer values; chain lengths depend on addresses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 8

struct entry { const void *key; struct entry *next; };

static struct entry *table[BUCKETS];

static unsigned hash(const void *p)
{
    uintptr_t v = (uintptr_t)p;
    v ^= v >> 17;
    v *= 0x9e3779b1u;
    return (unsigned)(v >> 7) % BUCKETS;
}

static int add(const void *key)
{
    unsigned h = hash(key);
    int probes = 0;
    for (struct entry *e = table[h]; e; e = e->next) {
        probes++;
        if (e->key == key) {
            puts("already there");
            return -1;
        }
    }
    struct entry *e = malloc(sizeof *e);
    if (!e) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    e->key = key;
    e->next = table[h];
    table[h] = e;
    return probes;
}

int main(void)
{
    static char places[12];
    int probes = 0;
    for (int i = 0; i < 12; i++) {
        int n = add(i % 2 ? (void *)&places[i] : malloc(16));
        if (n < 0) { puts("duplicate"); goto fail; }
        probes += n;
    }
    printf("%d probes\n", probes);
    return 0;
fail:
    probes = 0;
    return 1;
}
