#include <stdio.h>
static int f(int x) {
  int n = 0;
  for (int i = 0; i < x; i++)
    n += i;
  return n;
}
#line 2
static int g(int x) {
  int m = x;
  m++;
  m *= 2;
  return m;
}
int main(void) {
  printf("%d %d %d\n", f(5), g(1), g(2));
  return 0;
}
