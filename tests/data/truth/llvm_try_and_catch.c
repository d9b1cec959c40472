#include <setjmp.h>
static jmp_buf env;
static int ended;
#define TRY do { int ex = setjmp(env); if (ex == 0) {
#define CATCH(n) } else if (ex == (n)) {
#define END } } while (0)
static int run(int how)
{
    int result = 0;
    TRY
        if (how)
            longjmp(env, how);
        result = 4;
    CATCH(1)
    {
        result = -1;
    }
    END;
    return result;
}
int main(void)
{
    ended = run(0) + run(1) + run(0) + run(1) + run(0);
    return ended == 0;
}
