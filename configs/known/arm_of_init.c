#include <stdlib.h>
int n = 3;
int main(void) {
    for (n >= 0 ? (void)0 : abort(); n > 9; n--)
        n++;
    return n - 3;
}
