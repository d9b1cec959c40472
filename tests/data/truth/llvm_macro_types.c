#include <stdio.h>
#define ULLong unsigned long long
#define NAME "tool"
#define LIMIT (4)
static ULLong f(unsigned x, unsigned m)
{
    return x * (ULLong)m + sizeof(ULLong) * 1;
}
int main(void)
{
    printf("Usage of "
           "the " NAME " program: %d\n" NAME "\n", LIMIT);
    return f(2, 3) == 14 ? 0 : (int)LIMIT;
}
