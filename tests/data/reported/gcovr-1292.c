#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
static uint32_t mcdc_check(bool a, bool b, bool c) {
    uint32_t retval;
    if ((a || b) && c) {
        retval = 1;
    } else {
        retval = 0;
    }
    return retval;
}
int main(void)
{
    printf("%u\n", mcdc_check(true, true, true) + mcdc_check(false, true, false) + mcdc_check(false, false, true));
    return 0;
}
