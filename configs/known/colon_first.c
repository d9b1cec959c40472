#include <stdio.h>
static int sq(int x) { return x * x; }
int main(void)
{
  int a = 1, r;
  r = a == 1 ? sq(3)
             : sq(4);
  printf("%d\n", r);
  return 0;
}
