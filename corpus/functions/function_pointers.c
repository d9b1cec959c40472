/* Exercises function pointers: a dispatch table, callbacks, a pointer that is never called. */
#include <stdio.h>
#include <string.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b)
{
    int r = 0;
    if (b < 0)
    {
        b = -b;
        a = -a;
    }
    while (b-- > 0)
        r += a;
    return r;
}
static int divide(int a, int b)
{
    if (b == 0)
    {
        puts("division by zero");
        return 0;
    }
    return a / b;
}

static const struct { const char *name; operation run; } table[] =
{
    { "add", add },
    { "sub", sub },
    { "mul", mul },
    { "div", divide },
};

static operation lookup(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].run;
    printf("no operation %s\n", name);
    return NULL;
}

static int apply(operation op, int a, int b, void (*log)(int))
{
    int r;
    if (!op)
    {
        puts("nothing to apply");
        return -1;
    }
    r = op(a, b);
    if (log)
        log(r);
    return r;
}

static void print_result(int r) { printf("result %d\n", r); }
static void print_loudly(int r) { printf("RESULT %d!\n", r); }

int main(void)
{
    void (*log)(int) = &print_result;
    int r = apply(lookup("add"), 20, 22, log);
    r = apply(lookup("mul"), r, 3, NULL);
    r = (*lookup("sub"))(r, 26);
    if (r != 100)
    {
        log = print_loudly;
        log(r);
        return 1;
    }
    log(r);
    return 0;
}
