#include <stdio.h>
static inline __attribute__((always_inline)) int sgn(int x)
{
  int r = 0;
  if (x > 0)
    r = 1;
  else if (x < 0)
    r = -1;
  return r;
}
int main(void)
{
  int i, s = 0;
  for (i = -2; i < 4; i++)
    {
      int t = sgn(i);
      s = s * 2 + t;
      s -= sgn(s);
    }
  if (sgn(s))
    s += 100;
  printf("%d\n", s);
  return 0;
}
