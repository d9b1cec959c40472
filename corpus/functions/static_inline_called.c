/* Exercises static inline functions that are called, from live and from dead code. */
#include <stdio.h>

static inline int square(int x) { return x * x; }

static inline int limit(int x, int top)
{
    if (x > top) {
        x = top;
        printf("limited to %d\n", top);
    }
    return x;
}

static inline void swap(int *a, int *b)
{
    int t = *a;
    if (a == b) {
        puts("same place");
        return;
    }
    *a = *b;
    *b = t;
}

static inline int rescue(int x)
{
    puts("rescue");
    x = square(x);
    x++;
    return x;
}

int main(void)
{
    int v[5] = { 5, 3, 4, 1, 2 };
    int sum = 0;

    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            if (v[j] < v[i])
                swap(&v[i], &v[j]);
    for (int i = 0; i < 5; i++)
        sum += limit(square(v[i]), 100) * (i + 1);
    if (sum < 0) {
        sum = rescue(sum);
        swap(&v[0], &v[4]);
        sum = limit(sum, 7);
    }
    printf("%d %d %d\n", v[0], v[4], sum);
    return 0;
}
