#include <stdio.h>
__attribute__((destructor)) static void last(void) {
    puts("last");
}
int main(void) {
}
