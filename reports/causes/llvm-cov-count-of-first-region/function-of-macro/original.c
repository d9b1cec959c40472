#include <limits.h>

#define MAKE_SUM(name, type)                     \
    type name(type x)                            \
    {                                            \
        type sum = 0;                            \
        for (int i = 0; x && i < CHAR_BIT; i++)  \
            sum += x >> i & 1;                   \
        return sum;                              \
    }

MAKE_SUM(sum, unsigned)

int main(void)
{
    return (int) sum(0);
}
