#include <stdio.h>
int main(void) {
  int a = 0;
  int b = 0;
  int c;
  char *d = 0;
  printf("%s %s\n", d, b ? "" : a && c ? "" : ">");
}
