#include <stdio.h>

#define POOL(name)                                 \
    typedef struct { int used; } pool_##name;      \
    static pool_##name *pool_of_##name(void) {     \
        static pool_##name pool;                   \
        return &pool;                              \
    }
#define LIST(name)                                 \
    struct node_##name { int data; };              \
    POOL(name)                                     \
    static int next_##name(void) {                 \
        return ++pool_of_##name()->used;           \
    }

LIST(one)
LIST(two)

int main(void)
{
    int sum = 0;
    while (sum < 9)
        sum += next_one() * (next_two() > 1);
    printf("%d\n", sum);
    return 0;
}
