/* Exercises callbacks from libc: qsort with two comparisons and bsearch, with ties that never occur. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { const char *name; int age; };

static int by_age(const void *a, const void *b)
{
    const struct person *p = a, *q = b;
    if (p->age < q->age) return -1;
    if (p->age > q->age) return 1;
    puts("same age");
    return strcmp(p->name, q->name);
}

static int by_name(const void *a, const void *b)
{
    const struct person *p = a;
    const struct person *q = b;
    int c = strcmp(p->name, q->name);
    if (c == 0 && p != q && p->age != q->age) {
        c = p->age - q->age;
        printf("same name %s\n", p->name);
    }
    return c;
}

static int by_nothing(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 0;
}

int main(void)
{
    struct person staff[] = {
        { "Maria", 41 }, { "Ahmed", 29 }, { "Zoe", 35 },
        { "Bob", 62 },   { "Ines", 19 },
    };
    size_t n = sizeof staff / sizeof staff[0];
    int (*order)(const void *, const void *) = by_age;

    if (n > 1000) {
        puts("too many to sort");
        order = by_nothing;
    }
    qsort(staff, n, sizeof *staff, order);
    for (size_t i = 0; i < n; i++)
        printf("%s%s", staff[i].name, i + 1 < n ? " " : "\n");
    qsort(staff, n, sizeof *staff, by_name);
    struct person key = { "Ines", 19 };
    struct person *found = bsearch(&key, staff, n, sizeof *staff, by_name);
    if (found == NULL) {
        puts("nobody");
        return 1;
    }
    printf("%s is number %d\n", found->name, (int)(found - staff));
    return 0;
}
