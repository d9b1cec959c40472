/* What the recorded graphs are about: each rule by which gcov derives counts decides a line here. */
void *jump[5];

/* A group of functions, and a group within its lines. */
#define PAIR(a, b) static int a(int x) { return x > 1 ? x : 1; } static int b(int x) { while (x > 2) x--; return x; }
PAIR(f, g) static int h(int x) {
    for (int i = 0; i < 3; i++) x += i; return x; }
static int k(int x) { return f(x) && g(x); } static int l(int x) { int n = 0;
    PAIR_END: if (n++ < x) goto PAIR_END;
    return n; }

static void leave(int x)
{
    if (x > 0)
        __builtin_longjmp(jump, 1);
}

static int again(int x)
{
    if (__builtin_setjmp(jump))
        return 1;
    leave(x); leave(x + 1);
    return 0;
}

static int never(int x) { return x; }

int main(int argc, char **argv)
{
    int sum = 0, i = 0;
    (void)argv;
    do { if (i == 2) continue; sum += k(i); while (sum > 9 && i) sum -= 3; } while (++i < 6);
    switch (sum) {
    case 1: sum = h(1);
    case 3: sum++; break;
    default:
        sum = argc > 5
            ? never(sum)
            : l(3);
    }
    if (again(0) || again(1))
        __builtin_exit(0);
    return sum;
}
