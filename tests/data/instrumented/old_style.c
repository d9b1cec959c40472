extern int printf(const char *, ...);
static count = 2;
f (i) { return i + count; } // 2
static g (a, b) // 1
     int a;
     struct { int x; } *b;
{
    register k = a; // 1
    static total = 0; // 1
    total += k; // 1
    return b ? total : 0; // 1 0
}
char(h)() { return 4; } // 1
static *pointer(const p) // 1
{
    static int kept; // 1
    kept = p; // 1
    return &kept; // 1
}
main () // 1
{
    int sum = f (1) + f (2); // 1
    sum += g (5, (void *)&sum) + h() + *pointer(6); // 1
    return !(printf ("%d\n", sum) > 0 && sum == 22); // 1
}
