#include <stdio.h>
static int inside(int x, int y)
{
  return x > 0
         && y > 0
         && x + y < 10;
}
int main(void)
{
  int i, n = 0;
  for (i = -3; i < 9; i++)
    n += inside(i, i - 1);
  printf("%d\n", n);
  return 0;
}
