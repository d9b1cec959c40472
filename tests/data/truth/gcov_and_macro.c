#include <stdio.h>
#define AND &&
static int both(int a, int b)
{
  int r;
  r = a > 0
      AND b > 0;
  return r;
}
int main(void)
{
  printf("%d%d%d%d\n", both(1, 2), both(0, 1), both(-1, 4), both(2, -2));
  return 0;
}
