/* Control: ends by a real segmentation fault through a null pointer. */
#include <stddef.h>
#include <stdio.h>

struct node { int v; struct node *next; };

static int sum_too_far(struct node *n)
{
    int sum = 0;
    for (;;) {
        sum += n->v;
        printf("sum %d\n", sum);
        fflush(stdout);
        if (sum > 1000) {
            puts("large");
            sum = 1000;
            break;
        }
        n = n->next;
    }
    return sum;
}

int main(void)
{
    struct node b = { 2, NULL }, a = { 1, &b };
    int s = sum_too_far(&a);
    printf("never printed %d\n", s);
    if (s < 0) {
        puts("negative");
        return 1;
    }
    return 0;
}
