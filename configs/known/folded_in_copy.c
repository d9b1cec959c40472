#include <stdio.h>
static inline __attribute__((always_inline)) int count(const char *text, const int twice)
{
    int n = 0;
    for (; *text; text++) {
        n++;
        if (twice && *text == 'a')
            n++;
        else if (*text == 'z')
            n--;
    }
    return n;
}
static int both(const char *text) { return count(text, 1); }
static int once(const char *text) { return count(text, 0); }
int main(int argc, char **argv)
{
    int n = once("abcabc");
    if (argc > 5)
        n += both(argv[1]);
    printf("%d\n", n);
    return 0;
}
