#include <stdlib.h>
int main(void) {
  int a;
  for (1 ? (void)0 : abort(); 0;)
    a;
}
