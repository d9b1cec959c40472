/* Never ends, and does not listen to the first request to end. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    signal(SIGTERM, SIG_IGN);
    for (;;)
        pause();
}
