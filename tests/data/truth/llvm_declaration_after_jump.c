#include <stdlib.h>
int k, x = 1;
__attribute__((noreturn)) static void end(int status) { exit(status); }
static void jump(void)
{
    do {
        if (x)
            break;
        static int s = 4;
    } while (++k < 6);
    do {
        if (x)
            break;
        enum { ONE }; } while (++k < 6);
    if (x)
        return;
    typedef int number;
}
int main(void)
{
    jump();
    int a = x != 1 ? 2 : (end(0), 0), b = (a += 4);
    return a + b;
}
