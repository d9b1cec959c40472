#include <stdio.h>
int main(void) {
    int a = 0;
    int b = 1 ? ({
        a += 2;
    }) : ({
        puts("never");
    });
    return a - b;
}
