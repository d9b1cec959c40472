/* Ends by SIGABRT. */
#include <stdlib.h>

int main(void)
{
    abort();
}
