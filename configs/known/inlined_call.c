#include <stdio.h>
static inline __attribute__((always_inline)) int half(int x)
{
  if (x > 8)
    return x / 2;
  return x - 1;
}
int main(void)
{
  int s = 40, n = 0;
  while (half(s) > 3)
    {
      s -= 3;
      n++;
    }
  printf("%d %d\n", s, n);
  return 0;
}
