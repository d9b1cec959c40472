#include <limits.h>
#define M(name, type)                     \
    type name(type x)                            \
    {                                            \
        type sum = 0;                            \
        for (int i = 0; x && i < CHAR_BIT; i++)  \
            sum += x >> i & 1;                   \
        return sum;                              \
    }
M(sum, unsigned)
int main(void) {
  sum(0);
}
