#include <stdio.h>
#include <string.h>

#define SIZE 6

struct queue {
    int items[SIZE];
    int used;
};

static struct queue waiting;

static int put(struct queue *queue, int item)
{
    if (queue->used == SIZE)
        return 0;
    queue->items[queue->used++] = item;
    return 1;
}

static int sum(const struct queue *queue)
{
    int total = 0;
    for (int i = 0; i < queue->used; i++)
        total += queue->items[i];
    return total;
}

/* The label is only ever reached by the goto below: gcov shows 0 on its line. */
static int send(int item)
{
    int left = 3, tried = 0;
    if (item < 100)
        goto attempt;
again:
    tried += item;
attempt:
    left--;
    if (left)
        goto again;
    return tried;
}

int main(void)
{
    const char *names[] = { "one", "two", "three" };
    for (int i = 0; i < 3; i++) {
        printf("%s %d\n", names[i], (int)strlen(names[i]));
        put(&waiting, i * 2);
    }
    while (put(&waiting, 1))
        ;
    printf("%d %d\n", waiting.used, sum(&waiting));
    printf("%d %d\n", send(5), send(7));
    return 0;
}
