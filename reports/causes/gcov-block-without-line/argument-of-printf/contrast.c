#include <stdio.h>
int main(void) {
  int a = 0;
  int b = 0;
  int c;
  printf("%d %s\n", 0, 0 ? "" : a && c ? "" : ">");
}
