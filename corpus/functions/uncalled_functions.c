/* Exercises functions that nothing reaches: at the top, in the middle, at the end, several on one line. */
#include <stdio.h>

int top_unused(int a) {
    a++;
    return a;
}

static int live_counter;

void one_line_unused(void) { live_counter = 0; puts("x"); } int same_line_live(int a) { return a + live_counter; }

static int live(int n) {
    live_counter++;
    if (n <= 0)
        return 0;
    return live(n - 1) + n;
}

int dead_recursion(int n) {
    if (n == 0)
        return 1;
    n--;
    return dead_recursion(n) * 2;
}

struct list { struct list *next; int v; };

struct list *reverse(struct list *head) {
    struct list *done = NULL;
    while (head) {
        struct list *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

int main(void) {
    int sum = live(5);
    sum = same_line_live(sum);
    if (sum == 12345) {
        one_line_unused();
        sum = top_unused(sum);
        sum += dead_recursion(3);
    }
    printf("%d %d\n", sum, live_counter);
    return 0;
}

void bottom_unused(void)
{
    struct list a = { NULL, 1 }, b = { &a, 2 };
    struct list *r = reverse(&b);
    printf("%d\n", r->v);
    for (;;) {
        if (r == NULL) break;
        r = r->next;
    }
}
