#include <stdio.h>
static int ok(int x, int y, int z)
{
  return x > 0 &&
         y > 0 &&
         z > 0
         && x + y > z;
}
static int any(int x, int y)
{
  return x > 5
         && (x > 7
             || y > 7);
}
int main(void)
{
  printf("%d %d %d ", ok(3, 4, 5), ok(1, 0, 2), ok(1, 1, 3));
  printf("%d %d %d\n", any(6, 8), any(9, 1), any(1, 9));
  return 0;
}
