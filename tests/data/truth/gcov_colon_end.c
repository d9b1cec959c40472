#include <stdio.h>
static int n;
static int f(int x) { n += x; return x + 1; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      s = i ?
          f(3) :
          f(4);
      s += i > 7 ?
           f(1) :
           f(2);
    }
  printf("%d %d\n", s, n);
  return 0;
}
