#include <stdio.h>
static int sq(int x) { return x * x; }
static int pick(int x)
{
  return x == 1
         ? sq(5)
         : x == 2
         ? sq(6)
         : sq(7);
}
int main(void)
{
  printf("%d ", pick(2));
  printf("%d ", pick(1));
  printf("%d\n", pick(3) + pick(4));
  return 0;
}
