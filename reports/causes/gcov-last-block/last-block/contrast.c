#include <stdio.h>
#include <stdlib.h>
int main(void) { int a = 0;
  if (0)
    puts(""); exit(0);
}
