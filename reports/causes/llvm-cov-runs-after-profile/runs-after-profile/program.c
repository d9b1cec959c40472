#include <stdio.h>
__attribute__((destructor)) void f(void) {
  puts("");
}
int main(void) {}
