#include <sys/wait.h>
#include <unistd.h>
static volatile int total;
int main(void)
{
    for (int i = 0; i < 3; i++) {
        pid_t child = vfork();                          // ran 3
        if (child == 0) {
            total++;                                    // ran 3
            _exit(0);                                   // ran 3
        }
        waitpid(child, 0, 0);                           // ran 3
    }
    return total == 3 ? 0 : 1;                          // ran 1
}
