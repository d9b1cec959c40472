#include <stdio.h>
#include <stdlib.h>
int main(void) { int a = 0;
  if (a)
    ; exit(0);
}
