int printf(const char *, ...);
static int plus(int) __asm__("plus");
__asm(".text");
static int plus(int n) // 3
{
    register unsigned long kept __asm__("rbx") = n; // 3
    __asm __volatile ("" : "+" "r" (kept) : : "memory"); // 3
    if (n > 1) // 3
        asm volatile ("" ::: "memory"); // 1
    else
        asm volatile inline ("nop"); // 2
    return kept + 1; // 3
}
int main(void) // 1
{
    int sum = plus(0) + plus(1); // 1
    sum += plus(2); // 1
    return !(printf("%d\n", sum) > 0 && sum == 6); // 1
}
