#define CHECK(type) \
    static void check_##type(type a, type b) \
    { \
        if (a != b) \
            __builtin_abort(); \
    }
CHECK(int)
CHECK(long)
#define TRY(e) \
    do { \
        int r = (e); \
        if (r < 0) \
            return 0; \
        total += r; \
    } while (0)
#define AGAIN again: s++; if (s < 4) goto again
static int f(int n)
{
    int total = 0;
    TRY(n);
    return total;
}
static int g(int s)
{
    AGAIN;
    return s;
}
int main(void)
{
    check_int(1, 1);
    check_int(2, 2);
    check_long(3, 3);
    return f(1) + f(2) + f(-1) + g(2) > 100;
}
