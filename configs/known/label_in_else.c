#include <stdio.h>
static int steps(int x, int again)
{
  int r = 0;
  if (x > 0)
    r = 1;
  else
  other:
    r += 2;
  if (again-- > 0)
    goto other;
  return r;
}
int main(void)
{
  printf("%d %d\n", steps(0, 2), steps(3, 3));
  return 0;
}
