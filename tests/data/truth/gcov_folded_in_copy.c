#include <stdio.h>

static inline __attribute__((always_inline)) int search(const char *text, int from, const int is_fast)
{
    int found = 0;
    while (from > 0) {
        from--;
        if (is_fast && (from & 1)) {
            found += 3;
        } else if (text[from] == 'a') {
            found++;
        }
    }
    return found;
}

static int fast(const char *text)
{
    return search(text, 5, 1);
}

static int slow(const char *text)
{
    return search(text, 6, 0);
}

int main(int argc, char **argv)
{
    int sum = slow("abcabcabc");
    if (argc > 5)
        sum += fast(argv[1]);
    printf("%d\n", sum);
    return 0;
}
