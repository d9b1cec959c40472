#include <stdio.h>
__attribute__((no_profile_instrument_function)) int hidden(int a)
{
    return a && a > 1 ? 2 : 3;
}
static int parity(int k)
{
    switch (k & 1) {
    case 0:
        return 1;
    case 1:
        return 2;
    }
    __builtin_unreachable();
}
static int run(const int *code)
{
    int n = hidden(2);
    for (;;) {
        switch (*code++) {
        case 0: {
            n--;
            break;
        }
        case 1: {
            n += parity(n);
            goto next;
        }
        default:
            return n;
        }
    next:
        n++;
    }
}
int main(void)
{
    static const int code[] = { 0, 0, 0, 1, 1, 2 };
    int n = run(code);
    printf("%d\n", n
        ? n
        : 1);
    return 0;
}
