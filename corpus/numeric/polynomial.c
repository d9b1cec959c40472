// Exercises polynomial arithmetic: Horner evaluation, derivative, product, bisection; overflow branches are dead.
#include <stdio.h>

#define MAX_DEGREE 8

typedef struct {
    int degree;
    double c[MAX_DEGREE + 1];
} poly;

static double eval(const poly *p, double x)
{
    double v = 0;
    for (int i = p->degree; i >= 0; i--)
        v = v * x + p->c[i];
    return v;
}

static poly derive(poly p)
{
    if (p.degree == 0) {
        p.c[0] = 0;
        puts("derivative of a constant");
        return p;
    }
    for (int i = 1; i <= p.degree; i++)
        p.c[i - 1] = i * p.c[i];
    p.degree--;
    return p;
}

static int multiply(const poly *a, const poly *b, poly *out)
{
    if (a->degree + b->degree > MAX_DEGREE) {
        printf("degree %d is too high\n", a->degree + b->degree);
        out->degree = 0;
        out->c[0] = 0;
        return 0;
    }
    *out = (poly){ .degree = a->degree + b->degree };
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            out->c[i + j] += a->c[i] * b->c[j];
    return 1;
}

static double bisect(const poly *p, double lo, double hi)
{
    if (eval(p, lo) * eval(p, hi) > 0) {
        puts("no sign change");
        return hi;
    }
    for (int i = 0; i < 40; i++) {
        double mid = (lo + hi) / 2;
        if ((eval(p, mid) < 0) == (eval(p, lo) < 0))
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

int main(void)
{
    poly a = { 2, { -2, 0, 1 } }, b = { 1, { 3, 1 } }, product;
    if (!multiply(&a, &b, &product)) {
        puts("cannot multiply");
        return 1;
    }
    poly d = derive(product);
    printf("%.2f %.2f %.6f\n", eval(&product, 2), eval(&d, 2), bisect(&a, 0, 2));
    if (d.degree != 2) { puts("wrong degree"); d.degree = 2; return 2; }
    return 0;
}
