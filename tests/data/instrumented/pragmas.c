int printf(const char *, ...);
int main(void) // 1
{
    int sum = 0; // 1
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll_count(2)")
#else
#define UNROLL _Pragma("GCC unroll 2")
#endif
    if (sum == 0) // 1
        UNROLL
        for (int i = 0; i < 4; i++) // 1 4 5
            sum += i; // 4
    __extension__ int more = 2; // 1
    if (more) // 1
        __extension__ sum++; // 1
    return !(printf("%d\n", sum) > 0 && sum == 7); // 1
}
