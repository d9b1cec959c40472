#include <stdio.h>
#include <stdlib.h>
int main(void) { int a = 0;
  if (a)
    puts(""); exit(0);
}
