/* Exercises multi-digit arithmetic (factorials, Fibonacci numbers) with overflow branches that stay dead. */
#include <stdio.h>

#define DIGITS 40

struct big { unsigned char d[DIGITS]; int overflow; };

static void set(struct big *b, unsigned v)
{
    for (int i = 0; i < DIGITS; i++) {
        b->d[i] = v % 10;
        v /= 10;
    }
    b->overflow = 0;
    if (v) {
        b->overflow = 1;
        puts("too large to set");
    }
}

static void multiply(struct big *b, unsigned by)
{
    unsigned carry = 0;
    for (int i = 0; i < DIGITS; i++) {
        carry += b->d[i] * by;
        b->d[i] = carry % 10;
        carry /= 10;
    }
    if (carry) {
        b->overflow++;
        printf("carry %u is lost\n", carry);
    }
}

static void add(struct big *a, const struct big *b)
{
    int carry = 0, i = 0;
    while (i < DIGITS) {
        int s = a->d[i] + b->d[i] + carry;
        carry = s > 9;
        a->d[i++] = (unsigned char)(carry ? s - 10 : s);
    }
    if (carry || b->overflow) { a->overflow = 1; puts("sum is too large"); return; }
}

static void print(const struct big *b)
{
    int i = DIGITS - 1;
    if (b->overflow) {
        puts("overflow");
        return;
    }
    while (i > 0 && b->d[i] == 0)
        i--;
    for (; i >= 0; i--)
        putchar('0' + b->d[i]);
    putchar('\n');
}

int main(void)
{
    struct big f, a, b;
    set(&f, 1);
    for (unsigned n = 2; n <= 30; n++) multiply(&f, n);
    print(&f);
    set(&a, 0), set(&b, 1);
    for (int n = 0; n < 120; n++) {
        struct big t = b;
        add(&b, &a);
        a = t;
        if (b.overflow) { printf("stopped at %d\n", n); break; }
    }
    print(&a);
    return f.overflow || a.overflow;
}
