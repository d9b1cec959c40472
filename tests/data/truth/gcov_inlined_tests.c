#include <stdio.h>

static inline __attribute__((always_inline)) int back(const char *at, const char *match, int min)
{
    int back = 0;
    while ((back > min)
        && (at[back - 1] == match[back - 1]))
            back--;
    return back;
}

static int once(const char *text)
{
    return back(text + 3, text + 6, -3);
}

int main(void)
{
    const char *text = "abcabcabc";
    int sum = once(text);
    sum += back(text + 1, text + 5, -1);
    sum += back(text + 6, text + 3, -3);
    printf("%d\n", sum);
    return 0;
}
