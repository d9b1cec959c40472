#include <ctype.h>
int main(void) {
    int a = 0;
    while (isdigit((int)
                       "12;"[a]) && 1)
        a++;
}
