/* Ends without the handlers that write a profile. */
#include <unistd.h>

int main(void)
{
    _exit(0);
}
