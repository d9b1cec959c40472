#include <stdio.h>
static inline __attribute__((always_inline)) int next(int x)
{
  return x + 1;
}
int main(void)
{
  int s = 0;
  s += next(1);
  s += next(s);
  printf("%d\n", s);
  s -= next(3);
  printf("%d\n", s);
  return 0;
}
