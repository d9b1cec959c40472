#include <ctype.h>

static int is_sign_or_digit(int c)
{
    if (c == '-' || isdigit(c))
        return 1;
    return 0;
}

int main(void)
{
    return is_sign_or_digit('-') + is_sign_or_digit('2') - 2;
}
