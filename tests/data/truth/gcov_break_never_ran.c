#include <stdio.h>

struct pair { int first; };

int main(void)
{
    for (;;) {
        struct pair pair = { 1 };
        if (0)
            break;
        if (pair.first)
            break;
    }
    puts("end");
    return 0;
}
