#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 6; i++)
    {
      s += i > 3 ? f(1) : f(2);
      s += i > 9 ? f(i) : i > 2 ? 3 : 4;
      i % 2 ? f(1) : f(0);
      s -= i ?: f(9);
      i > 100 && f(5);
      s = (s > 20 ? s - 20 : s);
    }
  printf("%d %d\n", s, n);
  return s > 1000 ? 1 : 0;
}
