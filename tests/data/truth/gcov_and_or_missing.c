#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
int main(void)
{
  int i, r, s = 0;
  for (i = 0; i < 4; i++)
    {
      r = i < 9 &&
          (s >= 0 ||
           f(2));
      s += r;
      r = i < 3 &&
          (s > 2 ||
           f(2));
      s += r;
    }
  printf("%d %d\n", s, n);
  return 0;
}
