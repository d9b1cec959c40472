#include <stdio.h>

int main(int argc, char **argv)
{
#define SAY(n) printf("%s %c\n", \
        n == 11 ? "or" : "is",   \
        n == 11 ? '?' : '!')
#define LOG(k) puts("a");        \
    puts("b");                   \
    k++
    if (argc > 5)
        SAY(argc);
    if (argc > 6) {
        LOG(argc);
    }
    return argv[0] == 0;
}
