#include <stdlib.h>
int main(void) {
  int a;
  for ((void)0; 0;)
    a;
}
