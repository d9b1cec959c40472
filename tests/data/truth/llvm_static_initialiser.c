#include <stdio.h>
int main(void) {
    static int k =
        sizeof(long) == 8 ?
            1 :
            2;
    static const int t[] = {
        sizeof(int) == 4 &&
        sizeof(long) == 4,
        3
    };
    printf("%d %d\n", k, t[0]);
    return 0;
}
