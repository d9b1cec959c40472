#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

struct list_head { struct list_head *next, *prev; };

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define container_of(ptr, type, member) ({ \
    const __typeof__(((type *)0)->member) *__mptr = (ptr); \
    (type *)((char *)__mptr - offsetof(type, member)); })
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(h, type, member) list_entry((h)->next, type, member)
#define list_next_entry(pos, member) list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_for_each_entry(pos, head, member) \
    for (pos = list_first_entry(head, __typeof__(*pos), member); \
         &pos->member != (head); \
         pos = list_next_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member) \
    for (pos = list_first_entry(head, __typeof__(*pos), member), \
         n = list_next_entry(pos, member); \
         &pos->member != (head); \
         pos = n, n = list_next_entry(n, member))

static inline void INIT_LIST_HEAD(struct list_head *l) { l->next = l; l->prev = l; }
static inline void list_add_tail(struct list_head *n, struct list_head *h)
{
    n->prev = h->prev;
    n->next = h;
    h->prev->next = n;
    h->prev = n;
}
static inline void list_del(struct list_head *e) { e->next->prev = e->prev; e->prev->next = e->next; }
static inline int list_empty(const struct list_head *h) { return h->next == h; }

struct item { int v; struct list_head node; };
struct group { const char *name; struct list_head items; struct list_head node; };

static struct list_head groups = LIST_HEAD_INIT(groups);

static struct group *find(int v)
{
    struct group *g;
    struct item *it;
    list_for_each_entry(g, &groups, node)
        list_for_each_entry(it, &g->items, node)
            if (it->v == v)
                return g;
    return NULL;
}

int main(void)
{
    static struct group gs[3] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };
    for (int i = 0; i < 3; i++) {
        INIT_LIST_HEAD(&gs[i].items);
        list_add_tail(&gs[i].node, &groups);
        for (int k = 0; k < i * 2; k++) {
            struct item *it = malloc(sizeof *it);
            it->v = i * 10 + k;
            list_add_tail(&it->node, &gs[i].items);
        }
    }
    printf("%s %s\n", find(21)->name, find(99) ? "found" : "none");
    struct group *g;
    list_for_each_entry(g, &groups, node) {
        struct item *it, *tmp;
        int sum = 0;
        list_for_each_entry_safe(it, tmp, &g->items, node) {
            sum += it->v;
            if (it->v & 1) { list_del(&it->node); free(it); }
        }
        printf("%s %d %d\n", g->name, sum, list_empty(&g->items));
    }
    return 0;
}
