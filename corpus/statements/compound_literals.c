/* Exercises compound literals as arguments, in assignments and in branches that never run. */
#include <stdio.h>

struct point { int x, y; };
struct box { struct point low, high; };

static int area(struct box b)
{
    int w = b.high.x - b.low.x;
    int h = b.high.y - b.low.y;
    if (w < 0 || h < 0) {
        b = (struct box){ .low = { 0, 0 }, .high = { 0, 0 } };
        printf("empty box at %d\n", b.low.x);
        return 0;
    }
    return w * h;
}

static int sum(const int *v, int n)
{
    int s = 0;
    while (n-- > 0)
        s += *v++;
    return s;
}

int main(void)
{
    struct point p = (struct point){ 3, 4 };
    struct point *q = &(struct point){ .y = 9 };

    printf("%d\n", area((struct box){ { 0, 0 }, p }));
    printf("%d\n", area((struct box){
        .low = { 1, 1 },
        .high = {
            .x = 6,
            .y = 8,
        },
    }));
    printf("%d\n", sum((int[]){ 1, 2, 3, 4 }, 4));
    if (q->x) {
        p = (struct point){ q->x, q->y };
        q = &(struct point){
            .x = 1,
            .y = 2
        };
        printf("%d %d\n", p.x, q->y);
    } else
        q->x = (struct point){ 7, 8 }.y;
    printf("%d %d\n", q->x, q->y);
    if (q->x != 8) {
        puts((char[]){ "mismatch" });
        return sum((int[]){ 1, 1 }, 2);
    }
    return 0;
}
