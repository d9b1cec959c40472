#include <stdlib.h>
int rand(void) {
  return 0;
}
int main(void) {}
