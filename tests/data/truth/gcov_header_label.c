#include <stdio.h>
static int halve(int x)
{
again:
  x /= 2;
  if (x > 9)
    goto again;
  return x;
}
int main(void)
{
  int a = halve(100);
  a += halve(4000);
  printf("%d\n", a);
  return 0;
}
