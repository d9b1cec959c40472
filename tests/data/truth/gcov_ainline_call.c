#include <stdio.h>
static inline __attribute__((always_inline)) int twice(int x)
{
  x = x + x;
  return x;
}
int main(void)
{
  int n = 1, s = 0, i;
  for (i = 0; i < 3; i++)
    {
      n += twice(n) - i;
      if (twice(n) > 9)
        s++;
      s += n;
      printf("%d\n", twice(s));
    }
  s++;
  while (twice(s) > 20)
    s -= 5;
  return twice(s) > 40;
}
