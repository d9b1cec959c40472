#include <stdio.h>
static int turns(int x)
{
  int n = 0;
  if (x < 0)
    x = -x;
again:
  n++;
  x /= 2;
  if (x > 0)
    goto again;
  return n;
}
int main(void)
{
  printf("%d %d %d\n", turns(9), turns(-3), turns(0));
  return 0;
}
