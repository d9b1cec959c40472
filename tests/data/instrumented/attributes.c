int printf(const char *, ...);
static int released;
static void release(int *p) // 3
{
    released += *p; // 3
}
static int *__attribute__((noinline)) address(int *p) { return p; } // 3
__attribute__((noinline, aligned(16))) static int // 3
twice(int n)
{
    int once __attribute__((cleanup(release))) = n; // 3
    char bytes[64] __attribute__((aligned(32))); // 3
    [[maybe_unused]] int unused = n; // 3
    bytes[0] = 0; // 3
    switch (n) { // 3
    case 1: // 1
        released++; // 1
        __attribute__((fallthrough));
    case 2: // 2
        released++; // 2
    }
    goto last; // 3
last: __attribute__((unused)) // 3
    released++; // 3
    return 2 * *(int __attribute__((may_alias)) *)address(&once); // 3
}
int main(void) // 1
{
    int sum = twice(1); // 1
    __attribute__((unused)) int other = twice(2); // 1
    sum += twice(6); // 1
    return !(printf("%d %d\n", sum, released) > 0); // 1
}
