#ifndef T
#include <stdio.h>
#define T int
#define N f
#include __FILE__
#undef T
#undef N
#define T long
#define N g
#include __FILE__
int main(void) {
  printf("%d %ld\n", f(1) + f(2), g(3));
  return 0;
}
#else
static T N(T x) {
  x++;
  if (x > 2)
    x *= 2;
  return x;
}
#endif
