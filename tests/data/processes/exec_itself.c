#include <stdio.h>
#include <unistd.h>
static int step(int n)
{
    return n + 1;                                       // ran 4
}
int main(int argc, char **argv)
{
    int n = step(0);                                    // ran 2
    if (argc < 2) {
        char *again[] = {argv[0], "x", 0};              // ran 1
        n = step(n);                                    // ran 1
        execv("/proc/self/exe", again);                 // ran 1
        return 1;                                       // ran 0
    }
    n = step(n);                                        // ran 1
    printf("%d\n", n);                                  // ran 1
    return 0;
}
